import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Chore } from "../core/chore.ts";
import { keep, readKept } from "../core/kept-counts.ts";
import { hasFinished } from "./campaign-rows.ts";
import { timesChore } from "./count-times.ts";

/** In ms. Recipients of a campaign are listed for a year after its end; its figures stay. */
const LISTED_MS = 365 * DAY_MS;

const NAME = "recipients end";

/** Deletes recipients of old campaigns, in slices, and looks for them once a day. */
export const chores: readonly Chore[] = [
  timesChore,
  {
    next: (sql) => readKept(sql, NAME)?.at ?? (hasFinished(sql) ? 0 : Number.POSITIVE_INFINITY),
    run: (sql, now, limit) => {
      if ((readKept(sql, NAME)?.at ?? 0) > now || !hasFinished(sql)) return;
      const { length } = sql
        .exec(
          `DELETE FROM recipients WHERE (campaign, contact) IN (SELECT campaign, contact
             FROM campaigns CROSS JOIN recipients ON campaign = n WHERE status = 'Sent' AND pass IS NULL AND finished_at <= ? LIMIT ?)
           RETURNING 1`,
          now - LISTED_MS,
          limit,
        )
        .toArray();
      if (length < limit) keep(sql, now + DAY_MS, NAME, null);
    },
  },
];
