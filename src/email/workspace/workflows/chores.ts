import type { Chore } from "../base/chore.ts";

/** A workflow that was deleted, and still has rows. */
const nextHidden = (sql: SqlStorage): number | undefined =>
  sql.exec<{ n: number }>("SELECT n FROM workflows WHERE deleted_at IS NOT NULL LIMIT 1").toArray()[0]?.n;

/** Deletes the waiting runs of deleted workflows, then their versions, and then their own rows. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => (nextHidden(sql) === undefined ? Number.POSITIVE_INFINITY : 0),
    run: (sql, _now, limit) => {
      const n = nextHidden(sql);
      if (n === undefined) return;
      const { rowsWritten } = sql.exec(
        `DELETE FROM runs WHERE (contact, workflow, seq) IN
           (SELECT contact, workflow, seq FROM runs WHERE workflow = ? AND wake IS NOT NULL LIMIT ?)`,
        ...[n, limit],
      );
      if (rowsWritten > 0) return;
      for (const table of ["workflow_versions", "workflow_counts"])
        sql.exec(`DELETE FROM ${table} WHERE workflow = ?`, n);
      sql.exec("DELETE FROM workflows WHERE n = ?", n);
    },
  },
];
