import * as z from "zod";

/** A slug is the name of the team's object and a part of its API keys. */
const TEAM = /^[a-z0-9-]{1,32}$/;

export const team = z.string().regex(TEAM, "must have 1 to 32 characters of a-z, 0-9 and -");

export const flag = z.boolean("must be true or false");

export const done = z.object({ success: z.literal(true) });

/** Unix ms of today have 13 digits. Fewer than 12 are more likely seconds. */
const MILLISECONDS = /^\d{12,14}$/;

const TIME = "must be a date, such as 2026-01-31 or 2026-01-31T12:00:00Z, or Unix milliseconds";

const milliseconds = z
  .int(TIME)
  .min(1e11, TIME)
  .max(1e14 - 1, TIME);

/** A time as Unix ms. A date alone is its start in UTC. */
export const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.string().regex(MILLISECONDS), milliseconds], TIME)
  .transform((given) => (MILLISECONDS.test(String(given)) ? Number(given) : Date.parse(String(given))));
