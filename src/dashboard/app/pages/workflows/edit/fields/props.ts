import type { ConditionFields } from "../../../segments/condition-fields.ts";
import type { Shown } from "../../use-workflow.ts";

/** Props of node fields. `problem`: by field. `error`: last refusal, for places without a field name. */
export type FieldProps<Draft> = Shown & {
  draft: Draft;
  fields: ConditionFields;
  problem: (field: string) => string | undefined;
  error: Error | null;
  onChange: (draft: Draft) => void;
};
