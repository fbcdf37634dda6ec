import { Button, Group, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../parts/acts/leave-guard.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Answer } from "../../parts/states.tsx";
import { TeamPage } from "../../team/team.tsx";
import { changesIn, type Draft, type Field, SECTIONS, type Settings, shownValue } from "./fields.ts";
import { InForce } from "./in-force.tsx";
import { Usage } from "./usage.tsx";

/** The settings of a team, in one form. What is typed survives a reload and a login. */
export const TeamSettings = () => (
  <TeamPage
    title="Team"
    actions={({ id }) =>
      id !== undefined && <CopyAs asked={{ api: "email", name: "teams.get", fields: { team: id } }} />
    }
  >
    {({ id }) =>
      id === undefined ? (
        <Text>The settings of the team belong to the host of the v1 API. Change them there.</Text>
      ) : (
        <Stack key={id} gap="xl">
          <Found team={id} />
          <Usage team={id} />
        </Stack>
      )
    }
  </TeamPage>
);

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "settings"],
    queryFn: () => api.email.teams.get({ team }),
  });
  return (
    <Stack>
      <Answer query={query}>{(settings) => <Form team={team} settings={settings} />}</Answer>
    </Stack>
  );
};

const Form = ({ team, settings }: { team: string; settings: Settings }) => {
  const [draft, setDraft, clear] = useDraft<Draft>(`team ${team}`, {});
  const changes = changesIn(settings, draft);
  const count = Object.keys(changes).length;
  const undo = () => {
    setDraft({});
    clear();
  };
  const save = useMutation({
    mutationFn: () => api.email.teams.update({ team, ...changes } as Parameters<typeof api.email.teams.update>[0]),
    onSuccess: () => {
      undo();
      toast("The settings are saved.");
    },
  });
  useLeaveGuard(count > 0);
  useSaveKey();
  const wrong = save.error instanceof RequestError ? save.error.path : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count > 0) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={640}>
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        {SECTIONS.map(({ id, title, fields }) => (
          <Stack key={id} gap="md" component="section" aria-labelledby={`settings-${id}`}>
            <Title order={2} size="h4" id={`settings-${id}`} mt="sm">
              {title}
            </Title>
            {fields.map((field) => (
              <Input
                key={field.name}
                field={field}
                value={shownValue(settings, draft, field.name)}
                error={wrong === field.name ? save.error?.message : undefined}
                onChange={(value) => setDraft({ ...draft, [field.name]: value })}
              />
            ))}
            <InForce section={id} team={team} settings={settings} />
          </Stack>
        ))}
        <Group>
          <Button type="submit" data-save disabled={count === 0} loading={save.isPending}>
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

type InputProps = {
  field: Field;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
};

const Input = ({ field: { kind, label, hint }, value, error, onChange }: InputProps) => {
  const common = { label, description: hint, error };
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
