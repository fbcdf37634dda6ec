import * as z from "zod";
import { mailingList } from "../fields.ts";
import { operation } from "../operation.ts";

export const lists = {
  /** Includes archived lists. */
  list: operation({
    method: "GET",
    path: "/lists",
    summary: "List mailing lists",
    request: z.object({}),
    response: z.array(mailingList),
    status: 200,
    refusals: [],
    example: {},
  }),
};
