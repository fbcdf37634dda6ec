import { Button, Group, Select, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Condition } from "./condition.tsx";
import { type Draft, type Filter, withAnother } from "./draft.ts";
import type { Fields } from "./fields.ts";

const MAX_CONDITIONS = 50;

type Props = {
  title: ReactNode;
  draft: Filter;
  fields: Fields;
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
      {conditions.map((one, index) => (
        <Condition
          key={one.n}
          place={`Condition ${index + 1}`}
          one={one}
          fields={fields}
          problem={problems[one.n] ?? (refused === String(index) ? refusal : undefined)}
          onChange={(next) => onChange({ match, conditions: conditions.map((old) => (old === one ? next : old)) })}
          onRemove={
            conditions.length > 1
              ? () => onChange({ match, conditions: conditions.filter((old) => old !== one) })
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
