import type { Refusal } from "../../../lib/contract/errors.ts";
import { createBatches } from "../../../lib/imports/batches.ts";
import { addedTally, tallyOf } from "../../../lib/imports/consent/tally.ts";
import type { Encoding } from "../../../lib/imports/decode.ts";
import type { CsvRecord } from "../../../lib/imports/records.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { findImport, type StoredImport } from "./import-rows.ts";
import { detailedImport } from "./shown-import.ts";
import { add, begin, end } from "./upload.ts";

type Answer = { status?: 201; body: unknown } | { refusal: Refusal };

export const beginUpload = (context: Context, input: AdminInput<"imports.begin">): Answer => {
  const { name, encoding, delimiter, columns, preview, bytes, fingerprint } = input;
  // The encoding is only displayed: the client already decoded the rows.
  const form = { encoding: encoding as Encoding, delimiter, file: { bytes, fingerprint } };
  const begun = begin(context, { name, form, columns, preview });
  if ("refusal" in begun) return begun;
  const found = findImport(context.sql, (begun.body as { id: string }).id);
  return "refusal" in found ? found : { status: 201, body: detailedImport(context, found.found) };
};

/** Adds rows to an incomplete file. Repeated rows are skipped. */
export const addRows = (context: Context, { importId, first, rows }: AdminInput<"imports.addRows">): Answer => {
  const { sql } = context;
  const found = uploading(context, importId);
  if ("refusal" in found) return found;
  const { n, rows: arrived, columns } = found.found;
  if (first > arrived + 1) {
    const message = `first: rows are missing before this one. The next row is ${arrived + 1}.`;
    return { refusal: { code: "import_not_ready", path: "first", message } };
  }
  const fresh = rows.slice(arrived + 1 - first) as CsvRecord[];
  if (fresh.length === 0) return { body: { rows: arrived } };
  const batches = createBatches(arrived);
  const added = add(context, found.found, [...batches.add(fresh), ...batches.close()]);
  if ("refusal" in added) return added;
  const form = { ...found.found.form, counted: addedTally(found.found.form.counted, tallyOf(columns, fresh)) };
  sql.exec("UPDATE imports SET rows = ?, form = ? WHERE n = ?", batches.total(), JSON.stringify(form), n);
  return { body: { rows: batches.total() } };
};

export const completeUpload = (context: Context, { importId, rows }: AdminInput<"imports.complete">): Answer => {
  const found = uploading(context, importId);
  if ("refusal" in found) return found;
  const arrived = found.found.rows;
  if (arrived !== rows) {
    const message = `rows: ${arrived} of ${rows} rows have arrived. Add the others first.`;
    return { refusal: { code: "import_not_ready", path: "rows", message } };
  }
  const ended = end(context, found.found, { rows, counted: found.found.form.counted ?? [] });
  return "refusal" in ended ? ended : { body: ended.body };
};

const uploading = ({ sql }: Context, importId: string): { found: StoredImport } | { refusal: Refusal } => {
  const found = findImport(sql, importId);
  if ("refusal" in found) return found;
  const { state, form } = found.found;
  if (state === "uploading" && form.file) return found;
  const why = state === "uploading" ? "Its file is uploaded as a whole." : "It has no file that is not complete.";
  const message = `The import takes no rows. ${why} Begin another one: POST /admin/teams/{team}/imports/begin.`;
  return { refusal: { code: "import_not_ready", path: "importId", message } };
};
