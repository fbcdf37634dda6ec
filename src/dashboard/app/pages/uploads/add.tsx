import { Button, Group, List, Paper, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useCallback, useRef, useState } from "react";
import { RequestError } from "../../api/client.ts";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { handledIn, type Progress, useRun } from "../../parts/acts/run.ts";
import { useButtonKey } from "../../parts/keys.ts";
import type { Team } from "../../team/team.tsx";
import { ACCEPT, MAX_BYTES, refusalOf, sizeOf } from "./file.ts";
import { uploadFile } from "./send.ts";

const whyOne = (error: unknown): string | undefined =>
  error instanceof RequestError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429
    ? error.message
    : undefined;

/** Uploads chosen or dropped pictures one by one. */
export const AddPictures = ({ team, v1 }: { team: string; v1: Team["v1"] }) => {
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const [isOver, setOver] = useState(false);
  const [unsent, setUnsent] = useState<readonly string[]>([]);
  const [files, setFiles] = useState<readonly File[]>([]);
  const send = useCallback((file: File) => uploadFile(team, v1, file), [team, v1]);
  const { progress, error, start, stop } = useRun(send, whyOne);
  const isRunning = progress?.state === "running";
  const denied = useDenied({ api: "v1", name: "uploads.create" });
  useButtonKey("n");
  const run = async (given: readonly File[]) => {
    setFiles(given);
    await start(given);
    await queries.invalidateQueries();
  };
  const take = (given: readonly File[]) => {
    if (denied !== undefined) return;
    const looked = given.map((file) => ({ file, why: refusalOf(file) }));
    setUnsent(looked.flatMap(({ why }) => why ?? []));
    const good = looked.filter(({ why }) => why === undefined).map(({ file }) => file);
    if (good.length > 0) void run(good);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isRunning) take([...event.dataTransfer.files]);
  };
  const left = progress?.state === "stopped" ? files.slice(handledIn(progress)) : [];
  return (
    <Stack gap="xs">
      <Paper
        withBorder
        p="md"
        component="section"
        aria-label="Upload"
        onDragOver={(event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={isOver ? "drop" : undefined}
      >
        <Group>
          <Button
            size="xs"
            data-key="n"
            {...off(denied)}
            loading={isRunning}
            onClick={() => denied === undefined && input.current?.click()}
          >
            Choose pictures
          </Button>
          <Text size="sm">or drop them here: PNG, JPEG, GIF or WebP, of at most {sizeOf(MAX_BYTES)}</Text>
        </Group>
        <input
          ref={input}
          type="file"
          multiple
          accept={ACCEPT}
          hidden
          aria-label="Pictures to upload"
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
        <HowFar progress={progress} left={left} onStop={stop} onGoOn={() => void run(left)} />
      </Paper>
      <NotSent reasons={[...unsent, ...Object.keys(progress?.refused ?? {})]} />
      {error && <Refused error={error} />}
    </Stack>
  );
};

type Far = { progress: Progress | undefined; left: readonly File[]; onStop: () => void; onGoOn: () => void };

const HowFar = ({ progress, left, onStop, onGoOn }: Far) => (
  <Group gap="xs" role="status">
    {progress && (
      <Text size="sm" mt="xs">
        {progress.done} of {progress.total} uploaded
      </Text>
    )}
    {progress?.state === "running" && (
      <Button size="compact-xs" variant="default" onClick={onStop}>
        Stop
      </Button>
    )}
    {left.length > 0 && (
      <Button size="compact-xs" variant="default" onClick={onGoOn}>
        Send the other {left.length}
      </Button>
    )}
  </Group>
);

const NotSent = ({ reasons }: { reasons: readonly string[] }) =>
  reasons.length === 0 ? null : (
    <div role="alert">
      <List size="sm">
        {reasons.map((why) => (
          <List.Item key={why} className="wrap">
            {why}
          </List.Item>
        ))}
      </List>
    </div>
  );
