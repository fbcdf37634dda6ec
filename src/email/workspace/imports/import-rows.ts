import type { Refusal } from "../../../lib/contract/errors.ts";
import type { SuppressionReason } from "../../../lib/contract/import-choices.ts";
import type { RowBatch } from "../../../lib/imports/batches.ts";
import type { ColumnTally } from "../../../lib/imports/consent/tally.ts";
import type { Column, Mapping } from "../../../lib/imports/mapping.ts";
import type { Outcome } from "../../../lib/imports/outcome.ts";
import type { Form } from "../../../lib/imports/records.ts";

type ImportState = "uploading" | "ready" | "running" | "done" | "cancelled";

/** `columns`: how each is read. */
export type ImportSettings = {
  mapping: Mapping;
  columns: Column[];
  mailingLists: string[];
  updateExisting: boolean;
  triggerWorkflows: boolean;
  skipBadCells: boolean;
  allUnsubscribed: boolean;
  suppressAs?: SuppressionReason;
  /** Unix ms. */
  pausedAt?: number;
};

/** `file`: source of rows sent in parts; absent for an uploaded file. `counted`: cells of the rows that have arrived. */
export type StoredForm = Form & { file?: { bytes: number; fingerprint: string }; counted?: ColumnTally[] };

/** Times in Unix ms. `cursor`: last imported batch. */
export type StoredImport = Record<Outcome, number> & {
  n: number;
  id: string;
  name: string;
  state: ImportState;
  dryRun: boolean;
  form: StoredForm;
  columns: string[];
  preview: string[][];
  settings: ImportSettings | undefined;
  rows: number;
  cursor: number;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
};

export type StartedImport = StoredImport & { settings: ImportSettings };

type Row = Record<Outcome, number> & {
  n: number;
  id: string;
  name: string;
  state: ImportState;
  dry_run: number;
  form: string;
  columns: string;
  preview: string | null;
  settings: string | null;
  rows: number;
  cursor: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
};

const toImport = ({ dry_run, form, columns, preview, settings, created_at, started_at, finished_at, ...row }: Row) =>
  ({
    ...row,
    dryRun: dry_run === 1,
    form: JSON.parse(form),
    columns: JSON.parse(columns),
    preview: JSON.parse(preview ?? "[]"),
    settings: settings === null ? undefined : JSON.parse(settings),
    createdAt: created_at,
    startedAt: started_at,
    finishedAt: finished_at,
  }) as StoredImport;

export const findImport = (sql: SqlStorage, id: string): { found: StoredImport } | { refusal: Refusal } => {
  const [row] = sql.exec<Row>("SELECT * FROM imports WHERE id = ?", id).toArray();
  if (row) return { found: toImport(row) };
  const message = `There is no import "${id}". GET /admin/teams/{team}/imports lists them.`;
  return { refusal: { code: "import_not_found", path: "importId", message } };
};

const RUNS = "state = 'running' AND settings->>'pausedAt' IS NULL";

/** Running import with the next rows, in upload order. */
export const runningImport = (sql: SqlStorage): StartedImport | undefined =>
  sql.exec<Row>(`SELECT * FROM imports WHERE ${RUNS} ORDER BY n LIMIT 1`).toArray().map(toImport)[0] as
    | StartedImport
    | undefined;

export const isImporting = (sql: SqlStorage): boolean =>
  sql.exec(`SELECT 1 FROM imports WHERE ${RUNS} LIMIT 1`).toArray().length > 0;

export const listImports = (sql: SqlStorage, before: number, count: number): StoredImport[] =>
  sql
    .exec<Row>(
      `SELECT *, NULL AS preview, json_object('pausedAt', settings->>'pausedAt') AS settings FROM imports WHERE n < ?
       ORDER BY n DESC LIMIT ?`,
      before,
      count,
    )
    .toArray()
    .map(toImport);

export const nextBatch = (sql: SqlStorage, n: number, cursor: number): { k: number; batch: RowBatch } | undefined =>
  sql
    .exec<{ k: number; batch: string }>(
      "SELECT k, batch FROM import_rows WHERE import = ? AND k > ? ORDER BY k LIMIT 1",
      n,
      cursor,
    )
    .toArray()
    .map(({ k, batch }) => ({ k, batch: JSON.parse(batch) as RowBatch }))[0];
