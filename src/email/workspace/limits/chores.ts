import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { continueRechecks } from "./recheck.ts";

/** Continues rechecks and deletes unused ceilings, breakers and claim counts. */
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
    // All rows are deleted together, a day after the last. A busy team merges its rows at each claim.
    next: (sql) => firstTime(sql, "SELECT max(at) AS at FROM claimed_mails") + DAY_MS,
    run: (sql, now) => {
      sql.exec("DELETE FROM claimed_mails WHERE at <= ?", now - DAY_MS);
    },
  },
];
