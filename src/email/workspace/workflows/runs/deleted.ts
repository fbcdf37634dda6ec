import { endHeld, endQueued } from "../../sending/waiting-mails.ts";

const SLICE = 1_000;

/** Returns `n` of deleted workflows that still have rows. */
export const deletedWorkflows = (sql: SqlStorage): number[] =>
  sql
    .exec<{ n: number }>("SELECT n FROM workflows WHERE deleted_at IS NOT NULL")
    .toArray()
    .map(({ n }) => n);

/** Deletes a slice: held mails, waiting runs, other mail, then versions and row. */
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
  sql.exec("DELETE FROM run_purge");
};
