import type { Fields } from "../../../segments/fields.ts";
import type { Shown } from "../../read.ts";

/** Props of node fields. `problem`: by field. `error`: last refusal, for places without a field name. */
export type FieldProps<Draft> = Shown & {
  draft: Draft;
  fields: Fields;
  problem: (field: string) => string | undefined;
  error: Error | null;
  onChange: (draft: Draft) => void;
};
