import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";
import type { Team } from "../../team/team.tsx";
import { ImportForm } from "./form/form.tsx";
import {
  fitting,
  isAnswered,
  type Known,
  problemsOf,
  questionsOf,
  type Settings,
  settingsOf,
  typesOf,
} from "./form/mapping.ts";
import { keepSettings, keptSettings } from "./kept.ts";
import { useKnown } from "./queries.ts";
import { checking, starting } from "./start.tsx";
import { commandOf, startFieldsOf } from "./start-fields.ts";
import type { Detailed } from "./state.ts";
import { dropStartError, startErrorOf } from "./uploads.ts";

export const ReadyImport = ({ team, id, one }: { team: Team; id: string; one: Detailed }) => {
  const known = useKnown(team);
  return <Answer query={known}>{(found) => <Form team={id} one={one} known={found} />}</Answer>;
};

const Form = ({ team, one, known }: { team: string; one: Detailed; known: Known }) => {
  const { id, name, columns, preview, rows } = one;
  const [settings, set] = useState<Settings>(() => fitting(keptSettings(id), settingsOf(one.mapping)));
  const change = (next: Settings) => {
    set(next);
    keepSettings(id, next);
  };
  const isSound = Object.keys(problemsOf(settings)).length === 0;
  const mayStart = isSound && isAnswered(questionsOf(settings, one, name, typesOf(settings, known)));
  const startError = startErrorOf(id);
  const again = useAct({
    mutationFn: () =>
      api.email.imports.start({ ...startFieldsOf(settings, settings.checksOnly === true), team, importId: id }),
    onSuccess: () => dropStartError(id),
  });
  const act = (dryRun: boolean) => {
    const fields = { ...startFieldsOf(settings, dryRun), team, importId: id };
    return {
      run: () => api.email.imports.start(fields),
      done: () => (dryRun ? `Every row of ${name} is checked.` : `${name} is being imported.`),
      onDone: () => {
        dropStartError(id);
        document.getElementById("main")?.focus();
        scrollTo({ top: 0 });
      },
      asked: { api: "email" as const, name: "imports.start", fields },
      command: commandOf(team, { id }, fields),
    };
  };
  return (
    <Stack>
      {startError && <Refused error={again.error ?? startError} onProved={() => again.mutate()} />}
      <ImportForm
        team={team}
        columns={columns}
        preview={preview}
        known={known}
        signs={one}
        file={name}
        settings={settings}
        sample={undefined}
        onChange={change}
      >
        <Group gap="xs">
          <ActButton
            act={{ ...starting(name, rows, settings, one), ...act(false) }}
            size="sm"
            variant="filled"
            disabled={!mayStart}
          >
            Import {counted(rows, "row")}
          </ActButton>
          <ActButton act={{ ...checking(name), ...act(true) }} size="sm" disabled={!isSound}>
            Check every row
          </ActButton>
        </Group>
      </ImportForm>
    </Stack>
  );
};
