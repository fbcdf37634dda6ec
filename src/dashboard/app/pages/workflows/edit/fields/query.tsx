import { Group, Select, Text, TextInput } from "@mantine/core";
import type { PropertyType } from "../../../../../../lib/contract/contact-fields.ts";
import { NOT_WATCHED, operatorsFor } from "../../../../../../lib/workflow-graph/property-query.ts";
import type { ComparisonOperator } from "../../../../../../lib/workflow-graph/types.ts";
import { fieldChoices } from "../../../segments/condition-fields.ts";
import type { TriggerDraft } from "../draft.ts";
import { OPERATOR_WORDS, type Side, sideFor, takesValue } from "../query.ts";
import type { FieldProps } from "./props.ts";

export const QueryFields = ({ draft, fields, problem, onChange }: FieldProps<TriggerDraft>) => {
  const { key, was, is } = draft;
  const type = fields.types.get(key) ?? "string";
  const choices = fieldChoices(fields, key === "" ? undefined : key)
    .map(({ group, items }) => ({
      group,
      items: items.filter(({ value }) => value.startsWith("property:") && !NOT_WATCHED.has(value.slice(9))),
    }))
    .filter(({ items }) => items.length > 0);
  const choose = (value: string | null) => {
    if (value === null) return;
    const next = value.slice(9);
    const propertyType = fields.types.get(next) ?? "string";
    onChange({ ...draft, key: next, was: sideFor("was", was, propertyType), is: sideFor("is", is, propertyType) });
  };
  return (
    <>
      <Select
        label="Property"
        data={choices}
        value={key === "" ? null : `property:${key}`}
        error={problem("key")}
        onChange={choose}
        allowDeselect={false}
        searchable
      />
      {key !== "" && (
        <>
          <OneSide
            name="was"
            label="It was"
            side={was}
            type={type}
            problem={problem("was")}
            onChange={(side) => onChange({ ...draft, was: side })}
          />
          <OneSide
            name="is"
            label="It is then"
            side={is}
            type={type}
            problem={problem("is")}
            onChange={(side) => onChange({ ...draft, is: side })}
          />
          <Text size="sm">
            An update that changes the property in this way starts the workflow, not one that repeats it.
          </Text>
        </>
      )}
    </>
  );
};

type SideProps = {
  name: "was" | "is";
  label: string;
  side: Side;
  type: PropertyType;
  problem: string | undefined;
  onChange: (side: Side) => void;
};

const OneSide = ({ name, label, side, type, problem, onChange }: SideProps) => {
  const value = (field: "value" | "to", what: string) => (
    <TextInput
      label={`${label}: ${what}`}
      w={200}
      maxLength={500}
      inputMode={type === "number" ? "decimal" : undefined}
      placeholder={type === "date" ? "2026-01-31" : undefined}
      value={side[field]}
      error={field === "value" || problem === undefined ? problem : true}
      onChange={({ currentTarget }) => onChange({ ...side, [field]: currentTarget.value })}
    />
  );
  return (
    <Group gap="xs" align="flex-start">
      <Select
        label={label}
        w={180}
        data={operatorsFor(name, type).map((operator) => ({ value: operator, label: OPERATOR_WORDS[operator] }))}
        value={side.operator}
        error={!takesValue(side.operator) && problem}
        onChange={(operator) => operator && onChange({ ...side, operator: operator as ComparisonOperator })}
        allowDeselect={false}
      />
      {takesValue(side.operator) && value("value", side.operator === "between" ? "from" : "value")}
      {side.operator === "between" && value("to", "to")}
    </Group>
  );
};
