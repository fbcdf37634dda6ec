import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { Refused } from "../../parts/acts/refused.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { clock } from "../../parts/time.ts";
import { ChooseFile } from "./choose.tsx";
import { paceOf } from "./file/pace.ts";
import type { FileRead } from "./file/read.ts";
import { numberText } from "./import-words.ts";
import { keptSettings } from "./kept.ts";
import { startFieldsOf } from "./start-fields.ts";
import type { Detailed } from "./state.ts";
import { sendFile, useUpload } from "./uploads.ts";

/** Upload in this tab, or a request to choose the file again. */
export const Sending = ({ team, one }: { team: string; one: Detailed }) => {
  const found = useUpload(one.id);
  const [, redraw] = useState(0);
  if (one.file === null)
    return (
      <Text size="sm">
        Its file is being uploaded by a command or a program. Without it, it is cancelled after a day.
      </Text>
    );
  if (!found) return <ChooseAgain team={team} one={one} file={one.file} onSent={() => redraw((times) => times + 1)} />;
  const { upload, sending } = found;
  const { state, sent, rows, from, at, error } = sending;
  return (
    <Stack gap="xs">
      {error && <Refused error={error} />}
      <Stack gap={4} role="status">
        <Progress value={(100 * sent) / Math.max(1, rows)} aria-label="Rows that are sent" />
        <Text size="sm">
          {numberText(sent)} of {counted(rows, "row")} {sent === 1 ? "is" : "are"} sent.{" "}
          {state === "sending" && paceOf(sent - from, clock() - at, rows - sent)}
          {state === "paused" && "Paused."}
        </Text>
      </Stack>
      <Group gap="xs">
        {state === "sending" && (
          <Button size="xs" variant="default" onClick={upload.pause}>
            Pause sending
          </Button>
        )}
        {(state === "paused" || state === "failed") && (
          <Button size="xs" onClick={() => void upload.start()}>
            Go on
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        Keep this tab open until all rows are sent. Other pages of it can be looked at meanwhile. After a reload, choose
        the same file again on this page.
      </Text>
    </Stack>
  );
};

type Again = { team: string; one: Detailed; file: NonNullable<Detailed["file"]>; onSent: () => void };

const ChooseAgain = ({ team, one, file, onSent }: Again) => {
  const [wrong, setWrong] = useState<string>();
  const { id, name, rows: arrived, encoding, delimiter } = one;
  const { fingerprint } = file;
  const onRead = useCallback(
    (chosen: { file: File; read: FileRead } | undefined) => {
      const isOther = chosen !== undefined && chosen.read.fingerprint !== fingerprint;
      setWrong(isOther ? `This import began with another file, or with another version of it: ${name}.` : undefined);
      if (!chosen || isOther) return;
      const settings = keptSettings(id);
      const start = settings && startFieldsOf(settings, settings.checksOnly === true);
      sendFile({ team, importId: id }, chosen.file, chosen.read, arrived, start);
      onSent();
    },
    [team, id, name, arrived, fingerprint, onSent],
  );
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" title="Its file is not complete">
        <Text size="sm">
          {counted(arrived, "row")} {arrived === 1 ? "has" : "have"} arrived. Choose the same file again, and the others
          follow. Otherwise it is cancelled a day after its begin.
        </Text>
      </Alert>
      <ChooseFile
        label={`${name} (${numberText(file.bytes)} bytes)`}
        form={{ encoding, delimiter } as NonNullable<Parameters<typeof ChooseFile>[0]["form"]>}
        onRead={onRead}
        wrong={wrong}
      />
    </Stack>
  );
};
