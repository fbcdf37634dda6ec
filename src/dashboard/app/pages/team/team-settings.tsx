import { Alert, Button, Group, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { LATER } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Conflict } from "../../parts/acts/conflict.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useEdits } from "../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../parts/acts/leave-guard.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { keptSince } from "../../parts/acts/unsaved-fields.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { Answer } from "../../parts/states.tsx";
import {
  changesIn,
  conflictsIn,
  inWords,
  isUnseen,
  type Kept,
  keptWith,
  keptWithout,
  refusalOf,
  shownValue,
} from "./draft.ts";
import { InForce } from "./in-force.tsx";
import { type Field, SECTIONS, type Settings } from "./setting-fields.ts";
import { Usage } from "./usage.tsx";

/** The settings of a team, what is in force, and its usage. */
export const TeamSettings = ({ team }: { team: string }) => (
  <Stack key={team}>
    <Found team={team} />
    <Usage team={team} />
  </Stack>
);

const keyOf = (team: string) => ["email", team, "settings"];

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: keyOf(team),
    queryFn: ({ signal }) => api.email.teams.get({ team }, { signal }),
    ...LATER,
  });
  return (
    <Stack>
      <Answer query={query}>{(settings) => <Form team={team} settings={settings} />}</Answer>
    </Stack>
  );
};

const idOf = (name: keyof Settings): string => `setting-${name}`;

type OnSaved = (sent: Kept, stored: Settings) => void;

/** Stops if it would overwrite unseen changes of another person. */
const useSave = (team: string, settings: Settings, kept: Kept, onSaved: OnSaved) => {
  const queries = useQueryClient();
  const save = useAct({
    stays: true,
    mutationFn: async () => {
      const read = await api.email.teams.get({ team });
      queries.setQueryData(keyOf(team), read);
      if (isUnseen(settings, read, kept)) return undefined;
      const changes = changesIn(read, kept) as Omit<Parameters<typeof api.email.teams.update>[0], "team">;
      return { sent: kept, stored: await api.email.teams.update({ team, ...changes }) };
    },
    onSuccess: (saved) => {
      if (saved === undefined) return;
      queries.setQueryData(keyOf(team), saved.stored);
      onSaved(saved.sent, saved.stored);
      toast("The settings are saved.");
    },
    onError: (error) => {
      const refusal = error instanceof RequestError ? refusalOf(error.path, error.message) : undefined;
      if (refusal) document.getElementById(idOf(refusal.field.name))?.focus();
    },
  });
  const { error } = save;
  return { save, refusal: error instanceof RequestError ? refusalOf(error.path, error.message) : undefined };
};

const Form = ({ team, settings }: { team: string; settings: Settings }) => {
  const { kept, keep, undo, saved } = useEdits<Kept>(`settings of team ${team}`, {});
  const changes = changesIn(settings, kept);
  const count = Object.keys(changes).length;
  const { save, refusal } = useSave(team, settings, kept, (sent, stored) =>
    saved(sent, (typed) => keptSince(sent, typed, stored)),
  );
  const conflicts = save.isPending ? [] : conflictsIn(settings, kept);
  const denied = useDenied({ api: "email", name: "teams.update" });
  useLeaveGuard(count > 0);
  useSaveKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count > 0 && denied === undefined && !save.isPending) save.mutate();
  };
  const change = (name: keyof Settings) => (value: string | boolean) => {
    keep(keptWith(kept, settings, name, value));
    if (save.isError) save.reset();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {SECTIONS.map(({ id, title, fields }) => (
          <Panel key={id} title={title}>
            <Stack maw={640}>
              {fields.map((field) => (
                <Input
                  key={field.name}
                  field={field}
                  value={shownValue(settings, kept, field)}
                  error={refusal?.field === field ? refusal.text : undefined}
                  onChange={change(field.name)}
                />
              ))}
              <InForce section={id} team={team} settings={settings} />
            </Stack>
          </Panel>
        ))}
        {conflicts.length > 0 && (
          <Conflict
            theirs={conflicts.map((field) => ({ label: field.label, text: inWords(settings, field) }))}
            onTake={() => keep(keptWithout(kept, conflicts))}
          />
        )}
        {save.error && <NotSaved error={save.error} refusal={refusal} onProved={() => save.mutate()} />}
        <Group>
          <Button type="submit" data-save {...off(denied)} disabled={count === 0} loading={save.isPending}>
            Save
          </Button>
          {count > 0 && (
            <Button variant="default" onClick={undo}>
              Undo the changes
            </Button>
          )}
          {count > 0 && <CopyAs asked={{ api: "email", name: "teams.update", fields: { team, ...changes } }} />}
          <Text size="sm">{count === 0 ? "Nothing is changed." : `${count} changed`}</Text>
        </Group>
      </Stack>
    </form>
  );
};

type NotSavedProps = { error: Error; refusal: ReturnType<typeof refusalOf>; onProved: () => void };

const NotSaved = ({ error, refusal, onProved }: NotSavedProps) =>
  refusal ? (
    <Alert color="red" title="This was refused" role="alert">
      <Text size="sm">
        {refusal.field.label}: {refusal.text}
      </Text>
    </Alert>
  ) : (
    <Refused error={error} onProved={onProved} />
  );

type InputProps = {
  field: Field;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
};

const Input = ({ field: { name, kind, label, hint }, value, error, onChange }: InputProps) => {
  const common = { id: idOf(name), label, description: hint, error };
  if (typeof value === "boolean")
    return <Switch {...common} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />;
  if (kind === "lines")
    return (
      <Textarea
        {...common}
        autosize
        minRows={3}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      inputMode={kind === "number" ? "numeric" : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};
