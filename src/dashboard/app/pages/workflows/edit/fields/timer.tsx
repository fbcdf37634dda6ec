import { Group, Select, Text, TextInput } from "@mantine/core";
import type { TimerDraft } from "../draft.ts";
import type { FieldProps } from "./props.ts";

const UNITS = [
  { value: "m", label: "minutes" },
  { value: "h", label: "hours" },
  { value: "d", label: "days" },
];

export const TimerFields = ({ draft, problem, onChange }: FieldProps<TimerDraft>) => (
  <>
    <Group gap="xs" align="flex-start">
      <TextInput
        label="Wait"
        w={120}
        inputMode="decimal"
        value={draft.amount}
        error={problem("amount")}
        onChange={({ currentTarget }) => onChange({ ...draft, amount: currentTarget.value })}
      />
      <Select
        label="Unit"
        w={140}
        data={UNITS}
        value={draft.unit}
        error={problem("unit")}
        onChange={(unit) => unit && onChange({ ...draft, unit: unit as TimerDraft["unit"] })}
        allowDeselect={false}
      />
    </Group>
    <Text size="sm">It counts from the time when a person came here, also for those who wait here already.</Text>
  </>
);
