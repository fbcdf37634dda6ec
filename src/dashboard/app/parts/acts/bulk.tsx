import { Button, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { RequestError } from "../../api/client.ts";
import { Dialog, useBusy } from "../dialog.tsx";
import { Loading } from "../states.tsx";
import type { Asked, Each } from "./commands.ts";
import { CopyAs } from "./copy-as.tsx";
import { Refused } from "./refused.tsx";
import { handledIn, useRun } from "./run.ts";

/** An action on many items, one by one. */
export type Bulk<T> = {
  title: string;
  label: (count: number) => string;
  /** Finds the items without changes. */
  find: () => Promise<readonly T[]>;
  effect: (found: readonly T[]) => string;
  word?: string;
  color?: string;
  act: (item: T) => Promise<unknown>;
  participle: string;
  /** Waits for the results of handled items, in words. */
  outcomes?: (handled: readonly T[]) => Promise<readonly string[]>;
  /** Equivalent: one dry-run request, or a request per item. Undefined if only the dashboard can do it. */
  asked: Asked | Each | undefined;
};

const whyOne = (error: unknown): string | undefined =>
  error instanceof RequestError && (error.status === 404 || error.status === 409) ? error.message : undefined;

/** Dialog that counts, then runs with progress and Stop. It belongs to the page, because handled rows disappear. */
export const BulkDialog = <T,>({ bulk, onClose }: { bulk: Bulk<T> | undefined; onClose: () => void }) => {
  const queries = useQueryClient();
  const close = () => {
    onClose();
    void queries.invalidateQueries();
  };
  return (
    <Dialog opened={bulk !== undefined} onClose={close} title={bulk?.title}>
      {bulk && <Running bulk={bulk} onClose={close} />}
    </Dialog>
  );
};

const Running = <T,>({ bulk, onClose }: { bulk: Bulk<T>; onClose: () => void }) => {
  const [typed, setTyped] = useState("");
  const useQueryResult = useQuery({
    queryKey: ["bulk", useId(), bulk.title],
    queryFn: bulk.find,
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });
  const { progress, error, start, stop } = useRun(bulk.act, whyOne);
  useBusy(progress?.state === "running");
  const items = useQueryResult.data ?? [];
  const isReady = items.length > 0 && (bulk.word === undefined || bulk.word === typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void start(items);
  };
  const goOn = () => void start(items.slice(progress ? handledIn(progress) : 0));
  return (
    <Stack gap="sm">
      {useQueryResult.isPending && <Loading rows={2} />}
      {useQueryResult.error && (
        <Refused error={useQueryResult.error} onProved={() => void useQueryResult.refetch()} isReading />
      )}
      {useQueryResult.data &&
        !progress &&
        (items.length === 0 ? (
          <Text size="sm">There is nothing to do.</Text>
        ) : (
          <Text size="sm">{bulk.effect(items)}</Text>
        ))}
      {error && <Refused error={error} onProved={goOn} />}
      {progress && <Sum progress={progress} participle={bulk.participle} />}
      {progress && progress.state !== "running" && progress.done > 0 && bulk.outcomes && (
        <Outcomes handled={items.slice(0, handledIn(progress))} read={bulk.outcomes} />
      )}
      {!progress && (
        <form onSubmit={submit}>
          <Stack gap="sm">
            {bulk.word !== undefined && items.length > 0 && (
              <TextInput
                label={`Type "${bulk.word}" to confirm`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                autoComplete="off"
              />
            )}
            <Group justify="space-between">
              {bulk.asked ? <CopyAs asked={bulk.asked} /> : <span />}
              <Group gap="xs">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button type="submit" color={bulk.color} disabled={!isReady}>
                  {bulk.label(items.length)}
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      )}
      {progress && (
        <Group justify="flex-end">
          {progress.state === "running" ? (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button onClick={onClose}>Done</Button>
          )}
        </Group>
      )}
    </Stack>
  );
};

type OutcomesProps<T> = { handled: readonly T[]; read: (handled: readonly T[]) => Promise<readonly string[]> };

/** The result of each item, which a finished run alone does not say. */
const Outcomes = <T,>({ handled, read }: OutcomesProps<T>) => {
  const { data, error } = useQuery({
    queryKey: ["outcomes", useId()],
    queryFn: () => read(handled),
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });
  return (
    <div role="status">
      {error && <Refused error={error} isReading />}
      {!error && data === undefined && <Text size="sm">Waiting for what comes of it …</Text>}
      {data?.map((line) => (
        <Text size="sm" fw={560} key={line}>
          {line}
        </Text>
      ))}
    </div>
  );
};

const Sum = ({
  progress,
  participle,
}: {
  progress: NonNullable<ReturnType<typeof useRun>["progress"]>;
  participle: string;
}) => {
  const handled = handledIn(progress);
  const left = progress.total - handled;
  return (
    <Stack gap="xs" role="status">
      <Progress value={(100 * handled) / Math.max(1, progress.total)} aria-label="Progress" />
      <Text size="sm">
        {progress.done} of {progress.total} {participle}
        {progress.state === "stopped" && `. Stopped: ${left} ${left === 1 ? "was" : "were"} not touched.`}
      </Text>
      {Object.entries(progress.refused).map(([why, count]) => (
        <Text size="sm" key={why}>
          {count} refused: {why}
        </Text>
      ))}
    </Stack>
  );
};
