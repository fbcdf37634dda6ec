import { Button, Group, Select, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Condition } from "./condition.tsx";
import type { ConditionFields } from "./condition-fields.ts";
import { type Draft, type Filter, withAnother } from "./draft.ts";

const MAX_CONDITIONS = 50;

type Props = {
  title: ReactNode;
  draft: Filter;
  fields: ConditionFields;
  problems: Record<number, string>;
  /** Path that the service refused, such as `filter.conditions.1.value`. */
  wrong: string | undefined;
  refusal: string | undefined;
  onChange: (changes: Filter) => void;
};

export const Conditions = ({ title, draft, fields, problems, wrong, refusal, onChange }: Props) => {
  const { match, conditions } = draft;
  const refused = /\bconditions\.(\d+)/.exec(wrong ?? "")?.[1];
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {title}
        <Select
          size="xs"
          w={140}
          aria-label="How many conditions have to be met"
          value={match}
          onChange={(value) => value && onChange({ conditions, match: value as Draft["match"] })}
          data={[
            { value: "all", label: "all of these" },
            { value: "any", label: "any of these" },
          ]}
          allowDeselect={false}
        />
      </Group>
      {conditions.map((condition, index) => (
        <Condition
          key={condition.n}
          heading={`Condition ${index + 1}`}
          one={condition}
          fields={fields}
          problem={problems[condition.n] ?? (refused === String(index) ? refusal : undefined)}
          onChange={(next) =>
            onChange({ match, conditions: conditions.map((old) => (old === condition ? next : old)) })
          }
          onRemove={
            conditions.length > 1
              ? () => onChange({ match, conditions: conditions.filter((old) => old !== condition) })
              : undefined
          }
        />
      ))}
      {problems[0] !== undefined && <Text size="sm">{problems[0]}</Text>}
      <Group>
        <Button
          size="xs"
          variant="default"
          disabled={conditions.length >= MAX_CONDITIONS}
          onClick={() => onChange(withAnother(draft))}
        >
          Add a condition
        </Button>
      </Group>
    </Stack>
  );
};
