import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Chore } from "../core/chore.ts";
import { keep, readKept } from "../core/kept-counts.ts";

/** In ms. Recipients of a campaign are listed for a year after its end; its figures stay. */
const LISTED_MS = 365 * DAY_MS;

const NAME = "recipients end";

const hasCampaigns = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM campaigns WHERE finished_at IS NOT NULL LIMIT 1").toArray().length > 0;

/** Deletes recipients of old campaigns, in slices, and looks for them once a day. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => readKept(sql, NAME)?.at ?? (hasCampaigns(sql) ? 0 : Number.POSITIVE_INFINITY),
    run: (sql, now, limit) => {
      if ((readKept(sql, NAME)?.at ?? 0) > now || !hasCampaigns(sql)) return;
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
