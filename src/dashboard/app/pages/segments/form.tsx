import { Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { RequestError } from "../../api/client.ts";
import { Condition } from "./condition.tsx";
import { CountsOf, Examples } from "./counts.tsx";
import { type Draft, filterOf, problemsIn, withAnother } from "./draft.ts";
import type { Fields } from "./fields.ts";
import { useCounts } from "./use-counts.ts";

/** Most conditions of one filter. */
const MAX_CONDITIONS = 50;

type Props = {
  team: string;
  fields: Fields;
  draft: Draft;
  /** What is stored of it. */
  stored?: { id: string; filter: AudienceFilter };
  error: Error | null;
  onChange: (draft: Draft) => void;
  /** Undefined while there is nothing to save, or something is wrong. */
  onSave: (() => void) | undefined;
  /** The buttons, with the filter as far as it is whole. */
  children: (filter: AudienceFilter | undefined) => ReactNode;
};

/** A segment that is made or changed, with the contacts that it has. */
export const SegmentForm = ({ team, fields, draft, stored, error, onChange, onSave, children }: Props) => {
  const problems = problemsIn(draft, fields.types);
  const filter = Object.keys(problems).length === 0 ? filterOf(draft, fields.types) : undefined;
  const counts = useCounts({ team, filter, stored });
  const wrong = error instanceof RequestError ? error.path : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave?.();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "s" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onSave?.();
  };
  return (
    <form onSubmit={submit} onKeyDown={onKey}>
      <Stack gap="lg">
        <Stack gap="sm" maw={560}>
          <TextInput
            label="Name"
            required
            maxLength={255}
            value={draft.name}
            error={wrong === "name" ? error?.message : undefined}
            onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
          />
          <Textarea
            label="Description"
            autosize
            maxLength={1_000}
            value={draft.description}
            error={wrong === "description" ? error?.message : undefined}
            onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value })}
          />
        </Stack>
        <Conditions {...{ draft, fields, problems, wrong, onChange }} refusal={error?.message} />
        {filter && <CountsOf counts={counts} filter={filter} fields={fields} hasStored={stored !== undefined} />}
        {children(filter)}
        {filter && counts?.of === JSON.stringify(filter) && !counts.error && <Examples team={team} filter={filter} />}
      </Stack>
    </form>
  );
};

type ConditionsProps = Pick<Props, "draft" | "fields" | "onChange"> & {
  problems: Record<number, string>;
  /** The place of what the service refused, such as `filter.conditions.1.value`, and why. */
  wrong: string | undefined;
  refusal: string | undefined;
};

const Conditions = ({ draft, fields, problems, wrong, refusal, onChange }: ConditionsProps) => {
  const { match, conditions } = draft;
  const refused = /^filter\.conditions\.(\d+)/.exec(wrong ?? "")?.[1];
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={2} size="h4">
          Contacts that meet
        </Title>
        <Select
          size="xs"
          w={140}
          aria-label="How many conditions have to be met"
          value={match}
          onChange={(value) => value && onChange({ ...draft, match: value as Draft["match"] })}
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
          {...{ one, fields }}
          problem={problems[one.n] ?? (refused === String(index) ? refusal : undefined)}
          onChange={(next) => onChange({ ...draft, conditions: conditions.map((old) => (old === one ? next : old)) })}
          onRemove={
            conditions.length > 1
              ? () => onChange({ ...draft, conditions: conditions.filter((old) => old !== one) })
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
