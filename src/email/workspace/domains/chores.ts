import { type Chore, firstTime } from "../core/chore.ts";
import { reportChores } from "./dmarc-reports.ts";
import { RETIRED_MS } from "./domain-rows.ts";

/** Deletes retired keys after 7 days, and reports after 30. */
export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      firstTime(sql, "SELECT min(retired_at) AS at FROM dkim_keys WHERE retired_at IS NOT NULL") + RETIRED_MS,
    // A team has few domains and keys: no slice is needed.
    run: (sql, now) => {
      sql.exec("DELETE FROM dkim_keys WHERE retired_at <= ?", now - RETIRED_MS);
    },
  },
  ...reportChores,
];
