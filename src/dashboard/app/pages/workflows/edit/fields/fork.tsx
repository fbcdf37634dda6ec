import { Switch, Text, TextInput } from "@mantine/core";
import type { ExperimentDraft, VariantDraft } from "../draft.ts";
import type { FieldProps } from "./props.ts";

export const ExperimentFields = ({ draft, problem, onChange }: FieldProps<ExperimentDraft>) => (
  <TextInput
    label="Percent of the people who go to the variants"
    description="The others go to the control. A person always goes the same way"
    inputMode="decimal"
    value={draft.rate}
    error={problem("rate")}
    onChange={({ currentTarget }) => onChange({ ...draft, rate: currentTarget.value })}
  />
);

export const VariantFields = ({ draft, onChange }: FieldProps<VariantDraft>) => (
  <>
    <Switch
      label="This is the control"
      description="For the people who are not in the experiment. It has one: the way that is set last"
      checked={draft.isControl}
      onChange={({ currentTarget }) => onChange({ ...draft, isControl: currentTarget.checked })}
    />
    {!draft.isControl && <Text size="sm">The variants share their people evenly.</Text>}
  </>
);
