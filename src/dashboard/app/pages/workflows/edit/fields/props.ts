import type { Fields } from "../../../segments/fields.ts";
import type { Shown } from "../../read.ts";

/**
 * What the fields of a node need. `problem`: what is wrong at a field, typed or as the service says it. `error`: the refusal of the last save, for
 * places that have no name of their own.
 */
export type FieldProps<Draft> = Shown & {
  draft: Draft;
  fields: Fields;
  problem: (field: string) => string | undefined;
  error: Error | null;
  onChange: (draft: Draft) => void;
};
