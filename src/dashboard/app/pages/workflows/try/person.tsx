import { ActionIcon, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect } from "react";
import { api } from "../../../api/api.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { useDraft } from "../../../parts/acts/draft.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { Icon } from "../../../parts/icons.tsx";
import { Answer } from "../../../parts/states.tsx";
import { type ConditionFields, fieldChoices, useConditionFields } from "../../segments/condition-fields.ts";
import { saidOf } from "../edit/change.ts";
import { EventField, useKnownProperties } from "../edit/fields/event.tsx";
import { type Assumed, askedOf, assumedProblem, daysProblem, emptyTrial, type TrialDraft } from "./asked.ts";
import { Outcome } from "./outcome.tsx";
import type { TrialPanelProps } from "./props.ts";

const MOST = 730;

/** Simulates the workflow for one person. */
export const PersonTrial = (props: TrialPanelProps) => (
  <Answer query={useConditionFields(props.team)}>{(fields) => <Form {...props} fields={fields} />}</Answer>
);

const Form = ({ team, id, workflow, fields, onTrace, onSelect }: TrialPanelProps & { fields: ConditionFields }) => {
  const [draft, setDraft] = useDraft<TrialDraft>(`trial ${id} ${workflow.id}`, emptyTrial);
  const root = workflow.nodes[workflow.rootNodeId];
  const own = root?.typeName === "EventTrigger" ? (root.eventName ?? "") : "";
  const event = draft.event === "" ? own : draft.event;
  const known = useKnownProperties(team, event.trim());
  const asked = { team: id, workflowId: workflow.id, ...askedOf({ ...draft, event }, known, fields.types) };
  const wrongDays = daysProblem(draft.days, MOST);
  const isSound =
    wrongDays === undefined && draft.assume.every((assumed) => assumedProblem(assumed, draft.days) === undefined);
  const play = useMutation({
    mutationFn: () => api.email.insight.simulate(asked),
    onSuccess: ({ lines }) => onTrace([...new Set(lines.flatMap(({ nodeId }) => nodeId ?? []))]),
  });
  useEffect(() => () => onTrace([]), [onTrace]);
  const submit = (form: FormEvent) => {
    form.preventDefault();
    if (isSound) play.mutate();
  };
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Person"
            description="An address, a user id or an id. Empty: a person whom the team does not have"
            maxLength={500}
            value={draft.contact}
            error={saidOf(play.error, "contact")}
            onChange={({ currentTarget }) => setDraft({ ...draft, contact: currentTarget.value })}
            data-autofocus
          />
          {root?.typeName === "EventTrigger" && (
            <EventField
              team={team}
              label="Event"
              value={event}
              error={saidOf(play.error, "event")}
              onChange={(name) => setDraft({ ...draft, event: name, properties: {} })}
            />
          )}
          {root?.typeName === "EventTrigger" &&
            known.map(({ name, type }) => (
              <TextInput
                key={name}
                label={`${name} of the event`}
                description={type === "boolean" ? "true or false" : type}
                value={draft.properties[name] ?? ""}
                onChange={({ currentTarget }) =>
                  setDraft({ ...draft, properties: { ...draft.properties, [name]: currentTarget.value } })
                }
              />
            ))}
          <Assumptions draft={draft} fields={fields} onChange={(assume) => setDraft({ ...draft, assume })} />
          <TextInput
            label="Days to play"
            w={160}
            inputMode="decimal"
            value={draft.days}
            error={wrongDays ?? saidOf(play.error, "days")}
            onChange={({ currentTarget }) => setDraft({ ...draft, days: currentTarget.value })}
          />
          {play.error && <Refused error={play.error} onProved={() => play.mutate()} />}
          <Group>
            <Button type="submit" size="xs" disabled={!isSound} loading={play.isPending}>
              Simulate
            </Button>
            {isSound && <CopyAs asked={{ api: "email", name: "insight.simulate", fields: asked }} />}
          </Group>
        </Stack>
      </form>
      {play.data && <Outcome outcome={play.data} onSelect={onSelect} />}
    </Stack>
  );
};

type AssumptionsProps = {
  draft: TrialDraft;
  fields: ConditionFields;
  onChange: (assume: readonly Assumed[]) => void;
};

const Assumptions = ({ draft: { assume, days }, fields, onChange }: AssumptionsProps) => {
  const properties = fieldChoices(fields, undefined).map(({ group, items }) => ({
    group,
    items: items.filter(({ value }) => value.startsWith("property:")),
  }));
  const change = (at: number, changes: Partial<Assumed>) =>
    onChange(assume.map((assumed, index) => (index === at ? { ...assumed, ...changes } : assumed)));
  return (
    <Stack gap="xs">
      {assume.map((assumed, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: assumptions have no other name
        <Group key={index} gap="xs" align="flex-start" role="group" aria-label={`Assumption ${index + 1}`}>
          <TextInput
            aria-label={`Assumption ${index + 1}: after days`}
            placeholder="days"
            size="xs"
            w={80}
            value={assumed.day}
            error={assumed.property === "" ? undefined : assumedProblem(assumed, days)}
            onChange={({ currentTarget }) => change(index, { day: currentTarget.value })}
          />
          <Select
            aria-label={`Assumption ${index + 1}: property`}
            placeholder="property"
            size="xs"
            w={180}
            data={properties.filter(({ items }) => items.length > 0)}
            value={assumed.property === "" ? null : `property:${assumed.property}`}
            onChange={(value) => change(index, { property: (value ?? "").slice(9) })}
            searchable
          />
          <TextInput
            aria-label={`Assumption ${index + 1}: value`}
            placeholder="value"
            size="xs"
            w={140}
            value={assumed.value}
            onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => onChange(assume.filter((_, at) => at !== index))}
            aria-label={`Remove assumption ${index + 1}`}
          >
            <Icon name="remove" size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() => onChange([...assume, { day: "1", property: "", value: "" }])}
        >
          Assume a change on a later day
        </Button>
      </Group>
    </Stack>
  );
};
