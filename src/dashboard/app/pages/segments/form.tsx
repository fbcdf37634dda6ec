import { Stack, Textarea, TextInput, Title } from "@mantine/core";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { RequestError } from "../../api/client.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { Split } from "../../parts/page/panel-tabs.tsx";
import type { ConditionFields } from "./condition-fields.ts";
import { Conditions } from "./conditions.tsx";
import { CountsOf, Examples } from "./counts.tsx";
import { type Draft, filterOf, problemsIn } from "./draft.ts";
import { useCounts } from "./use-counts.ts";

type Props = {
  team: string;
  fields: ConditionFields;
  draft: Draft;
  stored?: { id: string; filter: AudienceFilter };
  error: Error | null;
  onChange: (draft: Draft) => void;
  /** Undefined if unchanged or invalid. */
  onSave: (() => void) | undefined;
  /** The buttons get the filter if it is complete. */
  children: (filter: AudienceFilter | undefined) => ReactNode;
};

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
      <Split
        label="Who is in it"
        aside={
          filter && (
            <Panel title="Who is in it">
              <CountsOf counts={counts} filter={filter} fields={fields} hasStored={stored !== undefined} />
              {counts?.of === JSON.stringify(filter) && !counts.error && <Examples team={team} filter={filter} />}
            </Panel>
          )
        }
      >
        <Stack gap="lg">
          <Stack gap="sm">
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
          <Conditions
            draft={draft}
            fields={fields}
            problems={problems}
            wrong={wrong}
            title={
              <Title order={2} size="h4">
                Contacts that meet
              </Title>
            }
            refusal={error?.message}
            onChange={(changes) => onChange({ ...draft, ...changes })}
          />
          {children(filter)}
        </Stack>
      </Split>
    </form>
  );
};
