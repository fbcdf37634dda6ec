import { endHeld, endQueued } from "../../sending/queue.ts";

/** Most rows of one slice: requests wait while they are written. */
const SLICE = 1_000;

/** Workflows that were deleted, and still have rows: `n` of each. */
export const deletedWorkflows = (sql: SqlStorage): number[] =>
  sql
    .exec<{ n: number }>("SELECT n FROM workflows WHERE deleted_at IS NOT NULL")
    .toArray()
    .map(({ n }) => n);

/** Ends the next held mails of a deleted workflow, then deletes its next waiting runs, ends its other mail, and at last deletes its versions and its row. */
export const clearWorkflow = ({ sql, now }: { sql: SqlStorage; now: number }, n: number): void => {
  const [row] = sql
    .exec<{ id: string }>("SELECT id FROM workflows WHERE n = ? AND deleted_at IS NOT NULL", n)
    .toArray();
  if (!row || endHeld(sql, { n, id: row.id }, now, SLICE) > 0) return;
  const { rowsWritten } = sql.exec(
    `DELETE FROM runs WHERE (contact, workflow, seq) IN
       (SELECT contact, workflow, seq FROM runs WHERE workflow = ? AND wake IS NOT NULL LIMIT ?)`,
    n,
    SLICE,
  );
  if (rowsWritten > 0 || endQueued(sql, row, now, SLICE) > 0) return;
  for (const table of ["sweeps", "workflow_versions", "workflow_counts", "workflow_status_changes", "workflow_passed"])
    sql.exec(`DELETE FROM ${table} WHERE workflow = ?`, n);
  sql.exec("DELETE FROM workflows WHERE n = ?", n);
  // The purge finds its ended runs.
  sql.exec("DELETE FROM run_purge");
};
