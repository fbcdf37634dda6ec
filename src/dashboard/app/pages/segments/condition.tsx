import { ActionIcon, Group, Paper, Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { OPERATORS } from "../../../../lib/contract/audience/condition-words.ts";
import type { Operator } from "../../../../lib/contract/audience/filter.ts";
import { operatorsOf } from "../../../../lib/contract/audience/operators.ts";
import { Icon } from "../../parts/icons.tsx";
import { type ConditionFields, fieldChoices } from "./condition-fields.ts";
import { type DraftCondition, fieldOf, NO_VALUE, needsValue, ofField } from "./draft.ts";

type Of<T extends DraftCondition["type"]> = Extract<DraftCondition, { type: T }>;
type Props<T extends DraftCondition["type"] = DraftCondition["type"]> = {
  heading: string;
  one: Of<T>;
  fields: ConditionFields;
  problem: string | undefined;
  onChange: (next: DraftCondition) => void;
};

export const Condition = ({ onRemove, ...given }: Props & { onRemove: (() => void) | undefined }) => {
  const { heading, one, fields } = given;
  const [isTouched, setTouched] = useState(false);
  const onChange = (next: DraftCondition) => {
    setTouched(true);
    given.onChange(next);
  };
  const problem = given.problem === NO_VALUE && !isTouched ? undefined : given.problem;
  const props = { ...given, problem, onChange };
  return (
    <Paper withBorder p={6} role="group" aria-label={heading}>
      <Group gap="xs" align="flex-start">
        <Select
          aria-label={`${heading}: about`}
          size="xs"
          w={220}
          data={fieldChoices(fields, one.type === "property" ? one.key : undefined)}
          value={fieldOf(one)}
          onChange={(field) => field !== null && field !== fieldOf(one) && onChange(ofField(one, field, fields.types))}
          allowDeselect={false}
          searchable
        />
        {one.type === "property" && <OfProperty {...props} one={one} />}
        {one.type === "optIn" && <OfOptIn {...props} one={one} />}
        {one.type === "activity" && <OfActivity {...props} one={one} />}
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            onClick={onRemove}
            aria-label={`Remove ${heading.toLowerCase()}`}
          >
            <Icon name="remove" size={14} />
          </ActionIcon>
        )}
      </Group>
      {one.type === "property" && one.operator === "isFalse" && one.key !== "subscribed" && (
        <Text size="xs">Contacts without a value are not included: for them it {OPERATORS.empty}.</Text>
      )}
      {problem !== undefined && (
        <Text size="xs" c="red">
          {problem}
        </Text>
      )}
    </Paper>
  );
};

const OfProperty = ({ heading, one, fields, problem, onChange }: Props<"property">) => {
  const type = fields.types.get(one.key) ?? "string";
  const field = (name: "value" | "to", label: string) => (
    <TextInput
      aria-label={`${heading}: ${label}`}
      aria-invalid={problem !== undefined}
      size="xs"
      w={type === "date" ? 170 : 200}
      maxLength={500}
      value={one[name]}
      inputMode={type === "number" ? "decimal" : undefined}
      placeholder={type === "date" ? "30 days ago" : undefined}
      onChange={({ currentTarget }) => onChange({ ...one, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      <Select
        aria-label={`${heading}: compares`}
        size="xs"
        w={170}
        data={operatorsOf[type].map((operator) => ({ value: operator, label: OPERATORS[operator] }))}
        value={one.operator}
        onChange={(operator) => operator && onChange({ ...one, operator: operator as Operator })}
        allowDeselect={false}
      />
      {needsValue(one.operator) && field("value", one.operator === "between" ? "from" : "value")}
      {one.operator === "between" && field("to", "to")}
    </>
  );
};

const STATUSES = [
  { value: "accepted", label: "confirmed" },
  { value: "pending", label: "not answered yet" },
  { value: "rejected", label: "rejected" },
  { value: "null", label: "never asked" },
];

const OfOptIn = ({ heading, one, onChange }: Props<"optIn">) => (
  <Select
    aria-label={`${heading}: answer`}
    size="xs"
    w={170}
    data={STATUSES}
    value={String(one.status)}
    onChange={(status) => onChange({ ...one, status: status === "null" ? null : (status as typeof one.status) })}
    allowDeselect={false}
  />
);

const ACTIONS = [
  { value: "sent", label: "were sent" },
  { value: "opened", label: "opened" },
  { value: "clicked", label: "clicked in" },
  { value: "not sent", label: "were not sent" },
  { value: "not opened", label: "got, and did not open" },
  { value: "not clicked", label: "got, and did not click in" },
];
const TARGETS = [
  { value: "campaign", label: "the campaign" },
  { value: "workflow", label: "a mail of the workflow" },
  { value: "workflowEmail", label: "the mail with the id" },
];

const OfActivity = ({ heading, one, fields, onChange }: Props<"activity">) => {
  const { action, negate, target, id } = one;
  const known = target === "campaign" ? fields.campaigns : fields.workflows;
  const choices = id === "" || known.some(({ value }) => value === id) ? known : [...known, { value: id, label: id }];
  return (
    <>
      <Select
        aria-label={`${heading}: they`}
        size="xs"
        w={150}
        data={ACTIONS}
        value={`${negate ? "not " : ""}${action}`}
        onChange={(value) =>
          value &&
          onChange({ ...one, negate: value.startsWith("not "), action: value.replace("not ", "") as typeof action })
        }
        allowDeselect={false}
      />
      <Select
        aria-label={`${heading}: of`}
        size="xs"
        w={180}
        data={TARGETS}
        value={target}
        onChange={(value) => value && onChange({ ...one, target: value as typeof target, id: "" })}
        allowDeselect={false}
      />
      {target === "workflowEmail" ? (
        <TextInput
          aria-label={`${heading}: id of the mail`}
          size="xs"
          w={200}
          maxLength={100}
          value={id}
          onChange={({ currentTarget }) => onChange({ ...one, id: currentTarget.value })}
        />
      ) : (
        <Select
          aria-label={`${heading}: which one`}
          size="xs"
          w={200}
          data={[...choices]}
          value={id === "" ? null : id}
          onChange={(value) => onChange({ ...one, id: value ?? "" })}
          searchable
          nothingFoundMessage="There is none with this name"
        />
      )}
    </>
  );
};
