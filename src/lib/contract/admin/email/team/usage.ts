import * as z from "zod";

/** Mails that were accepted on a day of UTC, such as "2026-01-31", by class. Previews are left out. */
const mailsOfDay = z.strictObject({ day: z.string(), transactional: z.int(), marketing: z.int() });

/**
 * What a team has and uses. `contacts`: as of `countedAt`; the count is kept for an hour. `mails`: of the last 30 days, newest
 * first; no entry for a day without any. One request counts a bounded number of mails. `mailsSince`: the first day that is counted; while it
 * is later than 29 days ago, another request counts more. `previews`: in any 24 hours. `database`: of the team's object.
 */
export const usage = z.strictObject({
  contacts: z.strictObject({ subscribed: z.int(), unsubscribed: z.int(), countedAt: z.string() }),
  mails: z.array(mailsOfDay),
  mailsSince: z.string(),
  previews: z.strictObject({ limit: z.int(), left: z.int() }),
  database: z.strictObject({ bytes: z.int(), limitBytes: z.int() }),
});
