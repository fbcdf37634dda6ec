import { Button, Group, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import { NOT_WATCHED } from "../../../../../lib/workflow-graph/property-query.ts";
import { api } from "../../../api/api.ts";
import { useAct } from "../../../api/use-act.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { keepDraft, newKey, useDraft } from "../../../parts/acts/draft.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { toast } from "../../../parts/acts/toast.tsx";
import { Panel } from "../../../parts/cards/cards.tsx";
import { Answer } from "../../../parts/states.tsx";
import { EmailPage, type Team } from "../../../team/team.tsx";
import { type ConditionFields, fieldChoices, useConditionFields } from "../../segments/condition-fields.ts";
import { EventField } from "../edit/fields/event.tsx";
import { useLists } from "../edit/list.tsx";
import { type Beginning, keyed, type Sender } from "./beginning.ts";
import { buildOn, createOnce, unfinishedName } from "./build.ts";
import type { Piece } from "./pieces.ts";
import { BuildProgress } from "./progress.tsx";
import { type Chosen, TEMPLATES, templateOf } from "./templates.ts";

export const NewWorkflow = () => (
  <EmailPage title="New workflow" more={() => <CopyAs asked={{ api: "v1", name: "workflows.list" }} />}>
    {(id, team) => <Found team={team} id={id} />}
  </EmailPage>
);

type Settings = Pick<Awaited<ReturnType<typeof api.email.teams.get>>, "name" | "fromName" | "fromEmail">;

const Found = ({ team, id }: { team: Team; id: string }) => {
  const settings = useQuery({ queryKey: ["email", id, "settings"], queryFn: () => api.email.teams.get({ team: id }) });
  const fields = useConditionFields(team);
  return (
    <Answer query={settings}>
      {(own) => <Answer query={fields}>{(known) => <Form team={team} id={id} settings={own} fields={known} />}</Answer>}
    </Answer>
  );
};

/** A sender for a team without one, so that a workflow can start on the first day. */
const senderFor = ({ name, fromName, fromEmail }: Settings): Partial<Sender> => ({
  ...(fromName === null ? { fromName: name } : {}),
  ...(fromEmail === null ? { fromEmail: "hello" } : {}),
});

const NOTHING: Chosen = { event: "trialStarted", property: "userGroup", type: "string", value: "customer", list: null };
const FIRST = (): Beginning => ({ template: "welcome", name: "", chosen: NOTHING, key: newKey() });

const takesValue = (type: PropertyType): boolean => type === "string" || type === "number";

const lackingIn = ({ template, chosen, sender = {} }: Beginning): Record<string, string> => {
  const { asks } = templateOf(template);
  const { event, property, type, value, list } = chosen;
  return {
    ...(asks.includes("event") && event.trim() === "" ? { event: "Give the name of the event." } : {}),
    ...(asks.includes("list") && list === null ? { list: "Choose a list." } : {}),
    ...(asks.includes("property") && property === "" ? { property: "Choose a property." } : {}),
    ...(asks.includes("property") && takesValue(type) && value.trim() === "" ? { value: "Give a value." } : {}),
    ...(asks.includes("property") && type === "number" && !Number.isFinite(Number(value))
      ? { value: "Give a number, such as 12." }
      : {}),
    ...(sender.fromName?.trim() === "" ? { fromName: "Write who the mails are from, such as Acme." } : {}),
    ...(sender.fromEmail?.trim() === "" ? { fromEmail: "Write the part before the @, such as hello." } : {}),
  };
};

type FormProps = { team: Team; id: string; settings: Settings; fields: ConditionFields };

const Form = ({ team, id, settings, fields }: FormProps) => {
  const [first] = useState(() => ({ ...FIRST(), sender: senderFor(settings) }));
  const [draft, setDraft, clear] = useDraft<Beginning>(`workflow ${id} new`, first);
  const [pieces, setPieces] = useState<readonly Piece[]>([]);
  const navigate = useNavigate();
  const denied = useDenied({ api: "v1", name: "workflows.create" });
  const template = templateOf(draft.template);
  const name = draft.name.trim() === "" ? template.name : draft.name.trim();
  const chosen = { ...draft.chosen, event: draft.chosen.event.trim() };
  const lacking = lackingIn(draft);
  const isReady = name !== "" && Object.keys(lacking).length === 0;
  const create = useAct({
    mutationFn: async () => {
      const beginning = keyed({ ...draft, name, chosen }, newKey);
      // The stored key prevents a second workflow on retry.
      setDraft({ ...draft, key: beginning.key, ...(beginning.sent === undefined ? {} : { sent: beginning.sent }) });
      const workflowId = await createOnce(team.v1, beginning);
      keepDraft(unfinishedName(id, workflowId), beginning);
      const failed = await buildOn(team.v1, workflowId, beginning, setPieces).then(
        () => undefined,
        (error: Error) => error,
      );
      return { workflowId, failed };
    },
    onSuccess: ({ workflowId, failed }) => {
      clear();
      if (failed) toast(`${name} is created, but not complete: ${failed.message}`, { tone: "bad" });
      else {
        sessionStorage.removeItem(`mailspan-draft ${unfinishedName(id, workflowId)}`);
        toast(`${name} is created. It is a draft: nobody enters before it is started.`);
      }
      void navigate({ to: "/workflows/$workflowId", params: { workflowId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && denied === undefined) create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <Panel title="Choose a start">
          <Radio.Group
            aria-label="Choose a start"
            value={draft.template}
            onChange={(value) => setDraft({ ...draft, template: value })}
          >
            <Stack gap="sm">
              {TEMPLATES.map(({ id: value, when, what }) => (
                <Radio key={value} value={value} label={when} description={what} />
              ))}
            </Stack>
          </Radio.Group>
        </Panel>
        <Choices
          team={team}
          fields={fields}
          chosen={draft.chosen}
          lacking={lacking}
          template={draft.template}
          onChange={(next) => setDraft({ ...draft, chosen: next })}
        />
        <TextInput
          label="Name"
          required={template.name === ""}
          placeholder={template.name}
          maxLength={255}
          value={draft.name}
          onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
        />
        {draft.template !== "empty" &&
          SENDER.map(
            ({ field, label, description }) =>
              draft.sender?.[field] !== undefined && (
                <TextInput
                  key={field}
                  label={label}
                  description={description}
                  maxLength={100}
                  value={draft.sender[field]}
                  error={lacking[field]}
                  onChange={({ currentTarget }) =>
                    setDraft({ ...draft, sender: { ...draft.sender, [field]: currentTarget.value } })
                  }
                />
              ),
          )}
        {create.error && <Refused error={create.error} onProved={() => create.mutate()} />}
        {create.isPending && pieces.length > 0 && <BuildProgress pieces={pieces} />}
        <Group>
          <Button type="submit" {...off(denied)} disabled={!isReady} loading={create.isPending}>
            Create
          </Button>
          <CopyAs asked={{ api: "v1", name: "workflows.create", fields: { name } }} />
        </Group>
      </Stack>
    </form>
  );
};

const SENDER = [
  {
    field: "fromName",
    label: "Sender's name",
    description: "Of the mails of this workflow: the settings of the team have none yet",
  },
  { field: "fromEmail", label: "Sender's address", description: "The part before the @, such as hello" },
] as const;

type ChoicesProps = {
  team: Team;
  fields: ConditionFields;
  template: string;
  chosen: Chosen;
  lacking: Record<string, string>;
  onChange: (chosen: Chosen) => void;
};

const Choices = ({ team, fields, template, chosen, lacking, onChange }: ChoicesProps) => {
  const { asks, propertyLabel } = templateOf(template);
  const { data: lists = [] } = useLists(team);
  const open = lists.filter(({ isArchived }) => !isArchived);
  const properties = fieldChoices(fields, undefined)
    .map(({ group, items }) => ({
      group,
      items: items.filter(({ value }) => value.startsWith("property:") && !NOT_WATCHED.has(value.slice(9))),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <>
      {asks.includes("event") && (
        <EventField
          team={team}
          value={chosen.event}
          error={lacking.event}
          onChange={(event) => onChange({ ...chosen, event })}
        />
      )}
      {asks.includes("property") && (
        <Group gap="xs" align="flex-start">
          <Select
            label={propertyLabel}
            data={properties}
            value={chosen.property === "" ? null : `property:${chosen.property}`}
            error={lacking.property}
            onChange={(value) => {
              const property = (value ?? "").slice(9);
              onChange({ ...chosen, property, type: fields.types.get(property) ?? "string", value: "" });
            }}
            allowDeselect={false}
            searchable
            w={300}
          />
          {takesValue(chosen.type) && (
            <TextInput
              label="Its value"
              maxLength={500}
              value={chosen.value}
              error={lacking.value}
              onChange={({ currentTarget }) => onChange({ ...chosen, value: currentTarget.value })}
            />
          )}
        </Group>
      )}
      {asks.includes("list") && (
        <Select
          label="Mailing list"
          description={
            open.length > 0 ? undefined : (
              <>
                The team has no list. Make one on <Link to="/people/lists">Lists</Link> first.
              </>
            )
          }
          data={open.map((one) => ({ value: one.id, label: one.name }))}
          value={chosen.list}
          error={open.length > 0 ? lacking.list : undefined}
          onChange={(list) => onChange({ ...chosen, list })}
          maw={360}
        />
      )}
    </>
  );
};
