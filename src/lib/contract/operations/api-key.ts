import * as z from "zod";
import { read } from "../operation.ts";

export const apiKey = {
  test: read("viewer", {
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
