import { workChore } from "../../campaigns/wave-work.ts";
import { type Chore, firstTime } from "../../core/chore.ts";
import { RETENTION_MS } from "../../core/retention.ts";
import { leaveWave } from "../../waves/wave-rows.ts";

const OLDEST = "FROM waves ORDER BY n LIMIT 1";

/** Works off decisions, and deletes waves as old as the oldest mails. */
export const chores: readonly Chore[] = [
  workChore,
  {
    next: (sql) => firstTime(sql, `SELECT (SELECT at ${OLDEST}) AS at`) + RETENTION_MS,
    run: (sql, now, limit) => {
      const [old] = sql.exec<{ n: number; at: number }>(`SELECT n, at ${OLDEST}`).toArray();
      if (!old || old.at > now - RETENTION_MS) return;
      const { length } = sql
        .exec(
          "DELETE FROM wave_mails WHERE wave = ?1 AND send IN (SELECT send FROM wave_mails WHERE wave = ?1 LIMIT ?2) RETURNING 1",
          old.n,
          limit,
        )
        .toArray();
      if (length === limit) return;
      leaveWave(sql, old.n);
      sql.exec("DELETE FROM waves WHERE n = ?", old.n);
    },
  },
];
