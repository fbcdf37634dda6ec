import * as z from "zod";

/**
 * Written rows of a UTC day. `account`: of all teams, with a share for objects that report none. `limit`: null without
 * a ceiling. `waiting`: what waits for the next day.
 */
const rowsOfDay = z.strictObject({
  day: z.string(),
  team: z.int(),
  account: z.int(),
  limit: z.int().nullable(),
  waiting: z.array(z.enum(["campaigns", "workflows"])),
});

/** Mails accepted on a day of the team's time zone such as "2026-01-31", without previews. */
const mailsOfDay = z.strictObject({ day: z.string(), transactional: z.int(), marketing: z.int() });

/**
 * `mails`: last 30 days, newest first, without empty days. Repeat the request while `mailsSince` is later than 29
 * days ago.
 */
export const usage = z.strictObject({
  contacts: z.strictObject({ subscribed: z.int(), unsubscribed: z.int(), countedAt: z.string() }),
  timeZone: z.string(),
  mails: z.array(mailsOfDay),
  mailsSince: z.string(),
  previews: z.strictObject({ limit: z.int(), left: z.int() }),
  database: z.strictObject({
    bytes: z.int(),
    limitBytes: z.int(),
    state: z.enum(["ok", "filling", "no_campaigns", "full"]),
  }),
  rows: rowsOfDay.optional(),
});
