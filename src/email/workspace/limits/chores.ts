import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { continueRechecks } from "./recheck.ts";

/**
 * Continues the rechecks. Deletes ceilings that nothing has renewed, breakers of relays that are not used any more, and counts of claims
 * that no send limit reaches.
 */
export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT min(0) AS at FROM limits WHERE name > 'recheck ' AND name < 'recheck!'"),
    run: (sql, now) => continueRechecks(sql, now),
  },
  {
    next: (sql) => firstTime(sql, "SELECT min(kept_until) AS at FROM limits"),
    run: (sql, now) => {
      sql.exec("DELETE FROM limits WHERE kept_until <= ?", now);
    },
  },
  {
    // Together, a day after the last one. A busy team merges its rows with each claim.
    next: (sql) => firstTime(sql, "SELECT max(at) AS at FROM claimed_mails") + DAY_MS,
    run: (sql, now) => {
      sql.exec("DELETE FROM claimed_mails WHERE at <= ?", now - DAY_MS);
    },
  },
];
