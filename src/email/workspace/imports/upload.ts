import type { Refusal } from "../../../lib/contract/errors.ts";
import type { RowBatch } from "../../../lib/imports/batches.ts";
import type { ColumnTally } from "../../../lib/imports/consent/tally.ts";
import type { FileOperations } from "../../types/files.ts";
import { type Context, wake } from "../core/context.ts";
import { nextNumber } from "../core/numbers.ts";
import { INCOMPLETE_MS } from "./chores.ts";
import { findImport, type StoredForm, type StoredImport } from "./import-rows.ts";
import { detailedImport } from "./shown-import.ts";

type Answer = { status?: 201; body: unknown } | { refusal: Refusal };

/** Unfinished imports: each may keep a file of 100 MB. */
const MAX_UNFINISHED = 10;

type Begun = Pick<StoredImport, "name" | "columns" | "preview"> & { form: StoredForm };

/** Takes a part of an upload. Incomplete files are deleted after a day. */
export const takeUpload = (context: Context, input: FileOperations["imports.upload"]): Answer => {
  if (input.step === "begin") return begin(context, input);
  const found = findImport(context.sql, input.importId);
  if ("refusal" in found) return found;
  if (found.found.state !== "uploading") {
    const message = "The import was cancelled while its file was uploaded.";
    return { refusal: { code: "import_not_ready", path: "importId", message } };
  }
  if (input.step === "add") return add(context, found.found, input.batches);
  return input.step === "end" ? end(context, found.found, input) : drop(context, found.found);
};

export const begin = (context: Context, { name, form, columns, preview }: Begun): Answer => {
  const { sql, now, id } = context;
  const { count } = sql
    .exec<{ count: number }>("SELECT count(*) AS count FROM imports WHERE state IN ('uploading', 'ready', 'running')")
    .one();
  if (count >= MAX_UNFINISHED) {
    const message = `The team has ${count} imports that are not finished. Start or cancel one of them first.`;
    return { refusal: { code: "too_many_imports", message } };
  }
  const importId = id("imp");
  sql.exec(
    "INSERT INTO imports (n, id, name, state, form, columns, preview, created_at) VALUES (?, ?, ?, 'uploading', ?, ?, ?, ?)",
    nextNumber(sql, "imports", now),
    importId,
    name,
    JSON.stringify(form),
    JSON.stringify(columns),
    JSON.stringify(preview),
    now,
  );
  wake(context, now + INCOMPLETE_MS);
  return { status: 201, body: { id: importId } };
};

export const add = ({ sql }: Context, { n }: StoredImport, batches: readonly RowBatch[]): Answer => {
  for (const batch of batches) {
    sql.exec(
      "INSERT INTO import_rows (import, k, batch) SELECT ?1, coalesce(max(k), 0) + 1, ?2 FROM import_rows WHERE import = ?1",
      n,
      JSON.stringify(batch),
    );
  }
  return { body: { success: true } };
};

export const end = (
  context: Context,
  found: StoredImport,
  { rows, counted }: { rows: number; counted: ColumnTally[] },
): Answer => {
  const form = { ...found.form, counted };
  context.sql.exec(
    "UPDATE imports SET state = 'ready', rows = ?, form = ? WHERE n = ?",
    rows,
    JSON.stringify(form),
    found.n,
  );
  return { status: 201, body: detailedImport(context, { ...found, form, state: "ready", rows }) };
};

const drop = ({ sql }: Context, { n }: StoredImport): Answer => {
  sql.exec("DELETE FROM import_rows WHERE import = ?", n);
  sql.exec("DELETE FROM imports WHERE n = ?", n);
  return { body: { success: true } };
};
