import * as z from "zod";
import { mailingList } from "../fields.ts";
import { read } from "../operation.ts";

export const lists = {
  /** Includes archived lists. */
  list: read("viewer", {
    path: "/lists",
    summary: "List mailing lists",
    request: z.object({}),
    response: z.array(mailingList),
    status: 200,
    refusals: [],
    example: {},
  }),
};
