import * as z from "zod";
import { operation } from "../operation.ts";

/** The IP addresses that only this host's mail leaves from, for allow-lists. */
export const listDedicatedSendingIps = operation({
  method: "GET",
  path: "/dedicated-sending-ips",
  summary: "List dedicated sending IP addresses",
  request: z.object({}),
  response: z.array(z.string()),
  status: 200,
  refusals: [],
});
