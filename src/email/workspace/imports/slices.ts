import { type Outcome, outcomeLine } from "../../../lib/imports/outcome.ts";
import type { CsvRecord } from "../../../lib/imports/records.ts";
import { log } from "../../../lib/util/log.ts";
import type { Context } from "../core/context.ts";
import { askToConfirm } from "../double-opt-in/confirmation.ts";
import { endSeen } from "./chores.ts";
import { importRows, type Result } from "./import-batch.ts";
import { nextBatch, runningImport, type StartedImport, type StoredImport } from "./import-rows.ts";

export type SliceDependencies = {
  /** Nested transaction. */
  transaction<T>(work: () => T): T;
  startRuns(context: Context): void;
};

/** Imports the next batch in the pump's transaction. A crash repeats a whole batch or nothing. */
export const takeImportSlice = (context: Context, dependencies: SliceDependencies): void => {
  const { sql } = context;
  const startedImport = runningImport(sql);
  if (!startedImport) return;
  const next = nextBatch(sql, startedImport.n, startedImport.cursor);
  if (!next) {
    finish(context, startedImport);
    return;
  }
  const { first, rows } = next.batch;
  const counts: Record<Outcome, number> = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  const lines = takeRows(context, startedImport, rows, dependencies).map((result, index) => {
    counts[result.outcome] += 1;
    return outcomeLine({ row: first + index, line: rows[index]?.line ?? 0, ...result });
  });
  sql.exec("INSERT INTO import_outcomes (import, k, lines) VALUES (?, ?, ?)", startedImport.n, next.k, lines.join(""));
  sql.exec(
    `UPDATE imports SET cursor = ?, created = created + ?, updated = updated + ?, unchanged = unchanged + ?, refused = refused + ?
     WHERE n = ?`,
    next.k,
    counts.created,
    counts.updated,
    counts.unchanged,
    counts.refused,
    startedImport.n,
  );
  if (!startedImport.dryRun) sql.exec("DELETE FROM import_rows WHERE import = ? AND k = ?", startedImport.n, next.k);
};

/** If the batch fails, each row is imported alone, so a fault refuses one row only. */
const takeRows = (
  context: Context,
  startedImport: StartedImport,
  records: readonly CsvRecord[],
  { transaction, startRuns }: SliceDependencies,
): Result[] => {
  const { after } = context;
  const sends = after.sends.length;
  try {
    return transaction(() => {
      const results = importRows(context, startedImport, records);
      askToConfirm(context);
      if (startedImport.settings.triggerWorkflows) startRuns(context);
      return results;
    });
  } catch (error) {
    after.sends.length = sends;
    const [record, ...others] = records;
    if (!record || others.length === 0) return [failed(startedImport, record, error)];
  } finally {
    after.writes.length = 0;
    after.pending.length = 0;
  }
  return records.flatMap((record) => takeRows(context, startedImport, [record], { transaction, startRuns }));
};

const failed = ({ id }: StartedImport, record: CsvRecord | undefined, error: unknown): Result => {
  const message = error instanceof Error ? error.message : String(error);
  log("import_row_failed", { import: id, line: record?.line, error: message });
  const reason = "Something went wrong here; it is not your file. Import this row again.";
  return { outcome: "refused", column: "", reason };
};

/** After a dry run the file is ready again. */
const finish = ({ sql, now }: Context, { n, id, dryRun, created, updated, unchanged, refused }: StoredImport): void => {
  const change = dryRun ? "state = 'ready'" : "state = 'done', preview = NULL";
  sql.exec(`UPDATE imports SET ${change}, finished_at = ? WHERE n = ?`, now, n);
  endSeen(sql);
  log("import_done", { import: id, dryRun, created, updated, unchanged, refused });
};
