import * as z from "zod";
import { faultOf, MAX_ADDRESS, shape } from "./address/form.ts";

/** An email address, at most 254 characters. Only its form is checked. */
export const email = z
  .string()
  .trim()
  .max(MAX_ADDRESS, `must be at most ${MAX_ADDRESS} characters`)
  .refine((address) => faultOf(address) === undefined, { error: ({ input }) => faultOf(String(input)) })
  .meta({ format: "email", pattern: shape.source, examples: ["ada@example.com"] });
