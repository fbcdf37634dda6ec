import { DAY_MS } from "../../../../lib/util/dates.ts";
import type { Chore } from "../../core/chore.ts";
import { RETENTION_MS } from "../../core/retention.ts";

type Cursor = { contact: number; workflow: number; seq: number; due: number };
type OldRun = {
  contact: number;
  workflow: number;
  seq: number;
  since: number;
  ended: string | null;
  newest: number;
  orphaned: number;
  path: string;
};

const cursorOf = (sql: SqlStorage): Cursor | undefined => sql.exec<Cursor>("SELECT * FROM run_purge").toArray()[0];

const hasRuns = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM runs LIMIT 1").toArray().length > 0;

/**
 * Checks runs daily. A run loses its path 30 days after its end; only the newest ended run per contact and workflow
 * stays.
 */
export const chores: readonly Chore[] = [
  {
    next: (sql) => (hasRuns(sql) ? (cursorOf(sql)?.due ?? 0) : Number.POSITIVE_INFINITY),
    run: (sql, now, limit) => {
      const from = cursorOf(sql) ?? { contact: 0, workflow: 0, seq: 0, due: 0 };
      if (from.due > now || !hasRuns(sql)) return;
      const runs = sql
        .exec<OldRun>(
          `SELECT contact, workflow, seq, since, ended, path,
             NOT EXISTS (SELECT 1 FROM runs r WHERE r.contact = runs.contact AND r.workflow = runs.workflow AND r.seq > runs.seq) AS newest,
             NOT EXISTS (SELECT 1 FROM workflows WHERE n = runs.workflow) AS orphaned
           FROM runs WHERE (contact, workflow, seq) > (?, ?, ?) ORDER BY contact, workflow, seq LIMIT ?`,
          from.contact,
          from.workflow,
          from.seq,
          limit,
        )
        .toArray();
      for (const run of runs)
        if (run.orphaned === 1 || (run.ended !== null && run.since <= now - RETENTION_MS)) purge(sql, run);
      const last = runs.at(-1);
      const next =
        last && runs.length === limit ? { ...last, due: now } : { contact: 0, workflow: 0, seq: 0, due: now + DAY_MS };
      sql.exec("DELETE FROM run_purge");
      sql.exec(
        "INSERT INTO run_purge (contact, workflow, seq, due) VALUES (?, ?, ?, ?)",
        next.contact,
        next.workflow,
        next.seq,
        next.due,
      );
    },
  },
];

const purge = (sql: SqlStorage, { contact, workflow, seq, newest, orphaned, path }: OldRun): void => {
  const key = [contact, workflow, seq];
  const where = "WHERE contact = ? AND workflow = ? AND seq = ?";
  if (newest === 0 || orphaned === 1) sql.exec(`DELETE FROM runs ${where}`, ...key);
  else if (path !== "[]") sql.exec(`UPDATE runs SET path = '[]', event = NULL ${where}`, ...key);
};
