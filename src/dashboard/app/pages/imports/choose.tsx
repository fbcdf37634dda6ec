import { Alert, FileInput, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { ENCODINGS } from "../../../../lib/imports/decode.ts";
import type { Delimiter } from "../../../../lib/imports/delimiter.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { type Asked, type FileRead, readFile } from "./file/read.ts";

const DELIMITERS = [
  { value: ",", label: "comma" },
  { value: ";", label: "semicolon" },
  { value: "\t", label: "tab" },
  { value: "|", label: "|" },
];

type Reading =
  | { state: "none" }
  | { state: "reading"; share: number }
  | { state: "read"; read: FileRead }
  | { state: "refused"; problem: string };

const useReading = (file: File | null, asked: Asked): Reading => {
  const [reading, setReading] = useState<Reading>({ state: "none" });
  const { encoding, delimiter } = asked;
  useEffect(() => {
    if (!file) return setReading({ state: "none" });
    const stop = new AbortController();
    setReading({ state: "reading", share: 0 });
    const onProgress = (share: number) => setReading({ state: "reading", share });
    readFile(file, { encoding, delimiter }, { signal: stop.signal, onProgress })
      .then((found) =>
        "problem" in found ? { state: "refused" as const, ...found } : { state: "read" as const, read: found },
      )
      .catch((error: Error) => ({
        state: "refused" as const,
        problem: `The browser cannot read the file: ${error.message}`,
      }))
      .then((next) => {
        if (!stop.signal.aborted) setReading(next);
      });
    return () => stop.abort();
  }, [file, encoding, delimiter]);
  return reading;
};

type Props = {
  label: string;
  form?: Asked;
  onRead: (chosen: { file: File; read: FileRead } | undefined) => void;
  wrong?: string | undefined;
  denied?: string | undefined;
};

/** Reads a chosen or dropped CSV file. The file stays in the tab. */
export const ChooseFile = ({ label, form, onRead, wrong, denied }: Props) => {
  const [file, setFile] = useState<File | null>(null);
  const [asked, setAsked] = useState<Asked>({});
  const reading = useReading(file, form ?? asked);
  const read = reading.state === "read" ? reading.read : undefined;
  useEffect(() => onRead(file && read ? { file, read } : undefined), [file, read, onRead]);
  const drop = useCallback(
    (event: React.DragEvent) => {
      event.preventDefault();
      if (denied === undefined) setFile(event.dataTransfer.files[0] ?? null);
    },
    [denied],
  );
  return (
    <Paper withBorder p="md" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Stack gap="sm">
        <FileInput
          label={label}
          description="Choose it, or drop it here. It is read in this tab. Before the import begins, only its first 100 rows are sent: they are checked, and not stored."
          placeholder="people.csv"
          accept=".csv,.tsv,.txt,text/csv"
          value={file}
          onChange={setFile}
          disabled={denied !== undefined}
          clearable
          clearButtonProps={{ "aria-label": "Take another file" }}
          maw={420}
        />
        {denied !== undefined && <Text size="sm">{denied}</Text>}
        <Stack gap="xs" role="status">
          {reading.state === "reading" && <Text size="sm">Reading: {Math.round(100 * reading.share)} %</Text>}
          {read && <Text size="sm">{foundText(read)}</Text>}
        </Stack>
        {reading.state === "refused" && (
          <Alert color="red" title="This file cannot be imported" role="alert">
            {reading.problem}
          </Alert>
        )}
        {wrong !== undefined && (
          <Alert color="red" title="This is another file" role="alert">
            {wrong}
          </Alert>
        )}
        {file && !form && <HowRead asked={asked} read={read} onChange={setAsked} />}
      </Stack>
    </Paper>
  );
};

const foundText = ({ rows, columns, form }: FileRead): string => {
  const name = DELIMITERS.find(({ value }) => value === form.delimiter)?.label ?? form.delimiter;
  return `${counted(rows, "row")}, ${counted(columns.length, "column")}, ${form.encoding.toUpperCase()}, delimiter ${name}.`;
};

const HowRead = ({
  asked,
  read,
  onChange,
}: {
  asked: Asked;
  read: FileRead | undefined;
  onChange: (asked: Asked) => void;
}) => (
  <Group align="flex-end" gap="xs">
    <Select
      label="Encoding"
      size="xs"
      w={180}
      placeholder={read?.form.encoding ?? "told by the file"}
      data={[...ENCODINGS]}
      value={asked.encoding ?? null}
      onChange={(encoding) => onChange({ ...asked, encoding: (encoding ?? undefined) as Asked["encoding"] })}
      clearable
      clearButtonProps={{ "aria-label": "Let the file say its encoding" }}
    />
    <Select
      label="Delimiter"
      size="xs"
      w={180}
      placeholder={DELIMITERS.find(({ value }) => value === read?.form.delimiter)?.label ?? "told by the file"}
      data={DELIMITERS}
      value={asked.delimiter ?? null}
      onChange={(delimiter) => onChange({ ...asked, delimiter: (delimiter ?? undefined) as Delimiter | undefined })}
      clearable
      clearButtonProps={{ "aria-label": "Let the file say its delimiter" }}
    />
  </Group>
);
