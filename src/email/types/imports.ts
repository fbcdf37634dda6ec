import type { RowBatch } from "../imports/batches.ts";
import type { Form } from "../imports/records.ts";

/** A part of the upload of a file. The object keeps the rows as they come. */
export type UploadStep =
  | { step: "begin"; name: string; form: Form; columns: string[]; preview: string[][] }
  | { step: "add"; importId: string; batches: RowBatch[] }
  | { step: "end"; importId: string; rows: number }
  | { step: "drop"; importId: string };

/** Operations that only routes with files ask for, with their inputs. */
export type FileOperations = {
  "imports.upload": { team: string } & UploadStep;
  /** Lines of the outcome file after piece `after`, which is 0 at first. */
  "imports.outcome": { team: string; importId: string; after: number };
};

/** Some lines of an outcome file. `last`: the piece after which to go on; null when there are no more. */
export type OutcomePiece = { text: string; last: number | null };
