import { Button, Fieldset, Grid, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { RequestError } from "../../../api/client.ts";
import { LATER } from "../../../api/queries.ts";
import { ActButton } from "../../../parts/acts/act.tsx";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { useEdits } from "../../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../../parts/acts/leave-guard.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { Note, Panel } from "../../../parts/cards/cards.tsx";
import { PageHead } from "../../../parts/page/page.tsx";
import { Answer } from "../../../parts/states.tsx";
import { Status as State } from "../../../parts/status/status.tsx";
import { Id } from "../../../parts/text.tsx";
import { clock } from "../../../parts/time.ts";
import type { Team } from "../../../team/team.tsx";
import { type ConditionFields, useConditionFields } from "../../segments/condition-fields.ts";
import { Delete, Duplicate } from "../copy-and-delete.tsx";
import { USUAL_GROWTH } from "../growth.ts";
import type { Message } from "../message.ts";
import { sending } from "../send.tsx";
import type { Status } from "../state.ts";
import { Audience } from "./audience.tsx";
import { Checks } from "./checks.tsx";
import { type Choices, useChoices } from "./choices.ts";
import {
  audienceOf,
  type Campaign,
  changedFields,
  conflictsIn,
  type Draft,
  draftOf,
  draftWith,
  fieldOfPath,
  type Kept,
  keptSince,
  keptWith,
  problemsOf,
  requestOf,
  withStored,
} from "./draft.ts";
import { idOfField } from "./ids.ts";
import { InInbox, Mail } from "./mail.tsx";
import { useChecks } from "./use-checks.ts";
import { useEstimate } from "./use-estimate.ts";
import { useSave } from "./use-save.ts";
import { When } from "./when.tsx";

type Props = { team: Team; id: string; status: Status };

const keyOf = (team: Team, campaignId: string) => ["v1", team.id, "campaign", campaignId, "draft"];

export const Compose = ({ team, id, status }: Props) => {
  const fields = useConditionFields(team);
  const choices = useChoices(team);
  const query = useQuery({
    queryKey: keyOf(team, status.id),
    queryFn: async ({ signal }) => {
      const campaign = await team.v1.campaigns.get({ campaignId: status.id }, { signal });
      const { emailMessageId } = campaign;
      return { campaign, message: await team.v1.emailMessages.get({ emailMessageId }, { signal }) };
    },
    ...LATER,
  });
  return (
    <Answer query={query}>
      {(found) => (
        <Answer query={fields}>
          {(known) => (
            <Answer query={choices}>
              {(offered) => <Form team={team} id={id} status={status} {...found} fields={known} choices={offered} />}
            </Answer>
          )}
        </Answer>
      )}
    </Answer>
  );
};

type FormProps = Props & { campaign: Campaign; message: Message; fields: ConditionFields; choices: Choices };

const NAMES: Readonly<Record<keyof Draft, string>> = {
  name: "name",
  group: "group",
  list: "mailing list",
  segment: "segment",
  filter: "conditions",
  method: "time",
  at: "time",
};

const Form = ({ team, id, status, campaign, message, fields, choices }: FormProps) => {
  const stored = draftOf(campaign, fields.types, fields.timeZone);
  const { kept, keep, undo, saved } = useEdits<Kept>(`campaign ${id} ${campaign.id}`, {});
  const draft = draftWith(stored, kept);
  const changed = changedFields(stored, kept);
  const isChanged = changed.length > 0;
  const isSound =
    audienceOf(draft, fields.types) !== undefined &&
    Object.keys(problemsOf(draft, clock(), fields.timeZone)).length === 0;
  const checks = useChecks(id, campaign.id);
  const [growth, setGrowth] = useState(USUAL_GROWTH);
  const asked = {
    campaignId: campaign.id,
    ...(isSound ? requestOf(draft, changed, fields.types, fields.timeZone) : {}),
  };
  const save = useSave(keyOf(team, campaign.id), {
    team,
    campaign,
    message,
    types: fields.types,
    zone: fields.timeZone,
    kept,
    onSaved: (sent, now) => saved(sent, (typed) => keptSince(sent, typed, now)),
  });
  // The stored draft may already be this save's result, which is no conflict.
  const conflicts = save.isPending ? [] : conflictsIn(stored, kept);
  const change: Change = (changes) => {
    keep(keptWith(kept, stored, changes));
    if (save.isError) save.reset();
  };
  useLeaveGuard(isChanged);
  useSaveKey();
  const denied = useDenied({ api: "v1", name: "campaigns.update" });
  const refusedField = save.error instanceof RequestError ? fieldOfPath(save.error.path) : undefined;
  const isLocked = save.error instanceof RequestError && save.error.code === "campaign_not_draft";
  const refusalOf = (name: keyof Draft) => (refusedField === name && !isLocked ? save.error?.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && isSound && denied === undefined) save.mutate();
  };
  const estimate = useEstimate(id, campaign.id, audienceOf(draft, fields.types));
  const { data: counted } = estimate.query;
  const typed = {
    draft,
    changed,
    time: problemsOf(draft, clock(), fields.timeZone).at,
    isNobody: estimate.isCurrent && counted?.high === 0,
  };
  return (
    <>
      <PageHead
        name={status.name}
        meta={
          <>
            <State kind="draft" />
            <Id>{status.id}</Id>
          </>
        }
        actions={
          <>
            <Delete team={id} status={status} onGone={undo} />
            <Duplicate team={id} status={status} isChanged={isChanged} />
            <ActButton act={sending(id, status, growth)} variant="filled" disabled={isChanged}>
              {stored.method === "now" ? "Send" : "Schedule"}
            </ActButton>
          </>
        }
      />
      <form onSubmit={submit}>
        <Grid>
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack>
              {denied !== undefined && <Text size="sm">{denied}</Text>}
              <Audience
                team={id}
                draft={draft}
                fields={fields}
                choices={choices}
                estimate={estimate}
                isLocked={denied !== undefined}
                error={isLocked ? null : save.error}
                onChange={change}
              />
              <Mail team={team} message={message} />
              <Fieldset variant="unstyled" p={0} m={0} disabled={denied !== undefined}>
                <When
                  zone={fields.timeZone}
                  draft={draft}
                  refusal={refusalOf("at")}
                  growth={growth}
                  recipients={counted?.recipients}
                  isLocked={denied !== undefined}
                  onGrowth={setGrowth}
                  onChange={change}
                />
              </Fieldset>
              <Fieldset variant="unstyled" p={0} m={0} disabled={denied !== undefined}>
                <NameAndGroup draft={draft} choices={choices} refusalOf={refusalOf} onChange={change} />
              </Fieldset>
              {conflicts.length > 0 && (
                <Conflict
                  names={conflicts}
                  onTake={() =>
                    keep(Object.fromEntries(Object.entries(kept).filter(([name]) => !isIn(conflicts, name))))
                  }
                />
              )}
              {save.error && (refusedField === undefined || isLocked) && (
                <Refused error={save.error} onProved={() => save.mutate()} />
              )}
              <Group gap="xs">
                <Button
                  type="submit"
                  {...off(denied)}
                  disabled={!isChanged || !isSound}
                  loading={save.isPending}
                  data-save
                >
                  Save
                </Button>
                {isChanged && (
                  <Button variant="default" onClick={undo}>
                    Undo the changes
                  </Button>
                )}
                {isChanged && isSound && <CopyAs asked={{ api: "v1", name: "campaigns.update", fields: asked }} />}
                <Text size="sm">
                  {isChanged ? "Not saved yet. What is typed stays in this tab." : "All of it is saved."}
                </Text>
              </Group>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack>
              <Checks query={checks} message={campaign.emailMessageId} typed={typed} />
              <InInbox message={message} />
            </Stack>
          </Grid.Col>
        </Grid>
      </form>
    </>
  );
};

type Change = (changes: Partial<Draft>) => void;
type NameProps = {
  draft: Draft;
  choices: Choices;
  refusalOf: (name: keyof Draft) => string | undefined;
  onChange: Change;
};

const NameAndGroup = ({ draft, choices, refusalOf, onChange }: NameProps) => (
  <Panel title="Name and group">
    <Group align="flex-start" gap="md">
      <TextInput
        id={idOfField("name")}
        label="Name"
        description="Its recipients do not see it"
        required
        maxLength={255}
        w={360}
        maw="100%"
        value={draft.name}
        error={problemsOf(draft, clock()).name ?? refusalOf("name")}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        id={idOfField("group")}
        label="Group"
        w={260}
        data={withStored(choices.groups, draft.group)}
        value={draft.group}
        error={refusalOf("group")}
        onChange={(group) => group !== null && onChange({ group })}
        allowDeselect={false}
        searchable
      />
    </Group>
  </Panel>
);

const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

const Conflict = ({ names, onTake }: { names: readonly (keyof Draft)[]; onTake: () => void }) => (
  <Note tone="warn" title="Another person has saved this meanwhile">
    <Stack gap="xs" align="flex-start">
      <span>
        They changed the {[...new Set(names.map((name) => NAMES[name]))].join(", the ")}. A save puts yours in its
        place.
      </span>
      <Button size="xs" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </Stack>
  </Note>
);
