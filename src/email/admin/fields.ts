import * as z from "zod";

/** Team slugs: the name of the team's object and a part of its API keys. */
const TEAM = /^[a-z0-9-]{1,32}$/;

/** The team of an admin route, as its slug. */
export const team = z.string().regex(TEAM, "must have 1 to 32 characters of a-z, 0-9 and -");

export const flag = z.boolean("must be true or false");

export const done = z.object({ success: z.literal(true) });
