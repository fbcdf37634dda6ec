import * as z from "zod";
import { TEAM } from "../http/api-key-format.ts";

/** The team of an admin route, as its slug. */
export const team = z.string().regex(TEAM, "must have 1 to 32 characters of a-z, 0-9 and -");

/** A name people read. */
export const name = z.string().trim().min(1, "must not be empty").max(100, "must be at most 100 characters");

export const flag = z.boolean("must be true or false");

/** The id of something of the team, in a path. */
export const id = z.string().max(100, "must be at most 100 characters");

export const done = z.object({ success: z.literal(true) });
