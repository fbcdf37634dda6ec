import { type Chore, firstTime } from "../base/chore.ts";
import { continueRechecks } from "./recheck.ts";

/** Continues the rechecks. Deletes ceilings that nothing has renewed, and breakers of relays that are not used any more. */
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
];
