import { type Chore, firstTime } from "../base/chore.ts";

/** Deletes ceilings that nothing has renewed, and breakers of relays that are not used any more. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT min(kept_until) AS at FROM limits"),
    run: (sql, now) => {
      sql.exec("DELETE FROM limits WHERE kept_until <= ?", now);
    },
  },
];
