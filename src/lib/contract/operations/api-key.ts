import * as z from "zod";
import { operation } from "../operation.ts";

export const apiKey = {
  test: operation({
    method: "GET",
    path: "/api-key",
    summary: "Test the API key",
    request: z.object({}),
    response: z.object({ success: z.literal(true), teamName: z.string() }),
    status: 200,
    refusals: [],
    refusesWithSuccess: true,
    example: {},
  }),
};
