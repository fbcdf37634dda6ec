import type { RowBatch } from "../../lib/imports/batches.ts";
import type { Form } from "../../lib/imports/records.ts";

/** A part of the upload of a file. The object keeps the rows as they come. */
export type UploadStep =
  | { step: "begin"; name: string; form: Form; columns: string[]; preview: string[][] }
  | { step: "add"; importId: string; batches: RowBatch[] }
  | { step: "end"; importId: string; rows: number }
  | { step: "drop"; importId: string };
