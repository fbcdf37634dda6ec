import * as z from "zod";
import { read } from "../operation.ts";

export const dedicatedSendingIps = {
  /** IP addresses that send only this service's mail, for allow-lists. */
  list: read("viewer", {
    path: "/dedicated-sending-ips",
    summary: "List dedicated sending IP addresses",
    request: z.object({}),
    response: z.array(z.string()),
    status: 200,
    refusals: [],
    example: {},
  }),
};
