import type { RowBatch } from "../../lib/imports/batches.ts";
import type { ColumnTally } from "../../lib/imports/consent/tally.ts";
import type { Form } from "../../lib/imports/records.ts";

/** The object keeps rows as they arrive. */
export type UploadStep =
  | { step: "begin"; name: string; form: Form; columns: string[]; preview: string[][] }
  | { step: "add"; importId: string; batches: RowBatch[] }
  | { step: "end"; importId: string; rows: number; counted: ColumnTally[] }
  | { step: "drop"; importId: string };
