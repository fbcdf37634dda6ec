import * as z from "zod";
import { operation } from "../operation.ts";

export const dedicatedSendingIps = {
  /** IP addresses that send only this service's mail, for allow-lists. */
  list: operation({
    method: "GET",
    path: "/dedicated-sending-ips",
    summary: "List dedicated sending IP addresses",
    request: z.object({}),
    response: z.array(z.string()),
    status: 200,
    refusals: [],
    example: {},
  }),
};
