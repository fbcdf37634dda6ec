import { Group, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { ChooseFile } from "./choose.tsx";
import type { FileRead } from "./file/read.ts";
import { ImportForm } from "./form/form.tsx";
import {
  fieldsOf,
  fitting,
  guessOf,
  isAllRefused,
  isAnswered,
  type Known,
  problemsOf,
  questionsOf,
  type Settings,
  typesOf,
} from "./form/mapping.ts";
import { usePreview } from "./form/preview.tsx";
import { keepSettings } from "./kept.ts";
import { useKnown } from "./queries.ts";
import { checking, starting } from "./start.tsx";
import { commandOf, startFieldsOf } from "./start-fields.ts";
import { sendFile } from "./uploads.ts";

type Chosen = { file: File; read: FileRead };

export const NewImport = () => (
  <EmailPage
    title="New import"
    more={(id) => (
      <CopyAs
        asked={{ api: "email", name: "imports.list", fields: { team: id } }}
        command={{ name: "import", args: ["people.csv"], options: ["--team", id] }}
      />
    )}
  >
    {(id, team) => <File team={team} id={id} />}
  </EmailPage>
);

const File = ({ team, id }: { team: Team; id: string }) => {
  const [chosen, setChosen] = useState<Chosen>();
  const known = useKnown(team);
  const denied = useDenied({ api: "email", name: "imports.begin" });
  const onRead = useCallback((next: Chosen | undefined) => setChosen(next), []);
  return (
    <Answer query={known}>
      {(found) => (
        <Stack gap="lg">
          <ChooseFile label="CSV file" onRead={onRead} denied={denied} />
          {chosen && <Ready key={chosen.read.fingerprint} team={id} chosen={chosen} known={found} />}
        </Stack>
      )}
    </Answer>
  );
};

const Ready = ({ team, chosen, known }: { team: string; chosen: Chosen; known: Known }) => {
  const { file, read } = chosen;
  const { name, columns, preview, form, bytes, fingerprint, rows } = read;
  const [kept, keep, clear] = useDraft<Settings | undefined>(`import ${team} ${fingerprint}`, undefined);
  const settings = fitting(kept, guessOf(columns, preview, known, read.counted));
  const navigate = useNavigate();
  const isSound = Object.keys(problemsOf(settings)).length === 0;
  const { signs } = read;
  const mayStart = isSound && isAnswered(questionsOf(settings, signs, name, typesOf(settings, known)));
  const looked = usePreview({ team, columns, sample: read.sample, settings, isSound });
  const isInVain = isAllRefused(rows, looked.data?.rows);
  const begun = { team, name, ...form, columns, preview, bytes, fingerprint };
  const run = (dryRun: boolean) => async () => {
    const { id } = await api.email.imports.begin(begun);
    keepSettings(id, { ...settings, checksOnly: dryRun });
    sendFile({ team, importId: id }, file, read, 0, startFieldsOf(settings, dryRun));
    return id;
  };
  const onDone = (id: string) => {
    clear();
    void navigate({ to: "/people/imports/$importId", params: { importId: id } });
  };
  const common = { done: () => `The rows of ${name} are being sent.`, onDone };
  const asked = (dryRun: boolean) => ({
    asked: {
      api: "email" as const,
      name: "imports.preview",
      fields: { ...fieldsOf(settings), team, columns, rows: read.sample.slice(0, 3) },
    },
    command: commandOf(team, { file: name }, startFieldsOf(settings, dryRun)),
  });
  return (
    <ImportForm
      team={team}
      columns={columns}
      preview={preview}
      known={known}
      signs={signs}
      file={name}
      settings={settings}
      sample={read.sample}
      onChange={keep}
    >
      {isInVain && <Text size="sm">There is nothing to import: every row of the file would be refused.</Text>}
      <Group gap="xs">
        <ActButton
          act={{ ...common, ...starting(name, rows, settings, signs), ...asked(false), run: run(false) }}
          size="sm"
          variant="filled"
          disabled={!mayStart || isInVain}
        >
          Import {counted(rows, "row")}
        </ActButton>
        <ActButton act={{ ...common, ...checking(name), ...asked(true), run: run(true) }} size="sm" disabled={!isSound}>
          Check every row
        </ActButton>
      </Group>
    </ImportForm>
  );
};
