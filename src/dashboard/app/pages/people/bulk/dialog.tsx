import { Button, Group, Progress, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../api/api.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { Refused } from "../../../parts/acts/refused.tsx";
import { Dialog, useBusy } from "../../../parts/dialog.tsx";
import { counted } from "../../../parts/ledger/ledger-words.ts";
import type { BulkAction } from "./bulk-acts.ts";
import { handledIn, type Slice, type Sum, useSlices } from "./slices.ts";
import { sliceOf, type Target } from "./target.ts";

type Request = Parameters<typeof api.email.contacts.bulk>[0];
export type ListChoice = readonly { value: string; label: string }[];
type Props = {
  team: string;
  action: BulkAction;
  target: Target;
  lists: ListChoice;
  onRun: (how: "started" | "answered") => void;
  onClose: () => void;
};
type Opened = Pick<Props, "team" | "lists"> & {
  chosen: Pick<Props, "action" | "target"> | undefined;
  onClose: (hasActed: boolean) => void;
};

/** Counts by a dry run, then runs with progress and a Stop. */
export const BulkContacts = ({ chosen, onClose, ...props }: Opened) => {
  const queries = useQueryClient();
  const run = useRef<"started" | "answered" | undefined>(undefined);
  const close = () => {
    onClose(run.current === "answered");
    // The service may have acted even without an answer.
    if (run.current !== undefined) void queries.invalidateQueries();
    run.current = undefined;
  };
  const onRun = useCallback((how: "started" | "answered") => {
    run.current = how;
  }, []);
  return (
    <Dialog opened={chosen !== undefined} onClose={close} title={chosen && titleOf(chosen)}>
      {chosen && <Chosen {...props} {...chosen} onRun={onRun} onClose={close} />}
    </Dialog>
  );
};

const titleOf = ({ action, target }: Pick<Props, "action" | "target">): string =>
  `${action.label}: ${"ids" in target ? counted(target.ids.length, "contact") : "all of this search"}`;

const Chosen = (props: Props) => {
  const [list, setList] = useState<string | null>(null);
  const { action, lists } = props;
  return (
    <Stack gap="sm">
      <Text size="sm">{action.effect}</Text>
      {action.needsList && (
        <Select
          label="Mailing list"
          data={[...lists]}
          value={list}
          onChange={setList}
          nothingFoundMessage="This team has no mailing list"
          data-autofocus
        />
      )}
      {(!action.needsList || list !== null) && <Counted key={list} {...props} list={list} />}
    </Stack>
  );
};

const Counted = (props: Props & { list: string | null }) => {
  const { team, action, target, list, onRun, onClose } = props;
  const [typed, setTyped] = useState("");
  const fields = useCallback(
    (dryRun: boolean, cursor: string | undefined) => {
      const slice = sliceOf(target, cursor);
      const mailingList = list === null ? {} : { mailingListId: list };
      return { next: slice.next, fields: { team, action: action.name, ...mailingList, ...slice.fields, dryRun } };
    },
    [team, action, target, list],
  );
  const read = useCallback(
    async (dryRun: boolean, cursor: string | undefined): Promise<Slice> => {
      const asked = fields(dryRun, cursor);
      const answer = await api.email.contacts.bulk(asked.fields as Request);
      return asked.next === undefined ? answer : { ...answer, next: asked.next };
    },
    [fields],
  );
  const dry = useSlices(useCallback((cursor) => read(true, cursor), [read]));
  const real = useSlices(useCallback((cursor) => read(false, cursor), [read]));
  useBusy(real.state === "running");
  const { start } = dry;
  useEffect(() => {
    void start();
  }, [start]);
  const isAnswered = real.sum !== undefined;
  useEffect(() => {
    if (isAnswered) onRun("answered");
  }, [isAnswered, onRun]);
  const total = dry.sum?.changed ?? 0;
  const isReady = dry.state === "over" && total > 0 && (action.word === undefined || typed === action.word);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    onRun("started");
    void real.start();
  };
  if (real.state !== "idle") return <Run run={real} action={action} dry={dry.sum} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {dry.error && <Refused error={dry.error} onProved={() => void dry.start(dry.sum)} />}
        <Plan sum={dry.sum} isOver={dry.state === "over"} />
        <StopOrGoOn dry={dry} />
        {action.word !== undefined && dry.state === "over" && total > 0 && (
          <TextInput
            label={`Type "${action.word}" to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "contacts.bulk", fields: fields(true, undefined).fields }} />
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} {...(action.word === undefined ? {} : { color: "red" })}>
              {action.button(counted(total, "contact"))}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
};

const StopOrGoOn = ({ dry }: { dry: ReturnType<typeof useSlices> }) => {
  const isRunning = dry.state === "running";
  if (!isRunning && (dry.state !== "stopped" || dry.error)) return null;
  return (
    <Group>
      <Button size="compact-xs" variant="default" onClick={isRunning ? dry.stop : () => void dry.start(dry.sum)}>
        {isRunning ? "Stop" : "Count on"}
      </Button>
    </Group>
  );
};

const Plan = ({ sum, isOver }: { sum: Sum | undefined; isOver: boolean }) => (
  <Stack gap={4} role="status">
    <Text size="sm">
      {isOver ? "" : "Counting: "}
      {counted(sum?.changed ?? 0, "contact")} would change{isOver ? "." : " so far."}
    </Text>
    <Reasons sum={sum} />
  </Stack>
);

const Reasons = ({ sum }: { sum: Sum | undefined }) =>
  Object.entries(sum?.unchanged ?? {}).map(([reason, count]) => (
    <Text size="sm" key={reason}>
      {count} not: {reason}
    </Text>
  ));

type RunProps = {
  run: ReturnType<typeof useSlices>;
  action: BulkAction;
  dry: Sum | undefined;
  onClose: () => void;
};

const Run = ({ run, action, dry, onClose }: RunProps) => {
  const total = dry ? handledIn(dry) : 0;
  const handled = run.sum ? handledIn(run.sum) : 0;
  return (
    <Stack gap="sm">
      {run.error && <Refused error={run.error} onProved={() => void run.start(run.sum)} />}
      <Stack gap="xs" role="status">
        <Progress value={(100 * handled) / Math.max(1, total)} aria-label="Progress" />
        <Text size="sm">
          {run.sum?.changed ?? 0} of {dry?.changed ?? 0} {action.participle}
          {run.state === "stopped" && ". Stopped: the others were not touched."}
        </Text>
        <Reasons sum={run.sum} />
      </Stack>
      <Group justify="flex-end" gap="xs">
        {run.state === "running" && (
          <Button variant="default" onClick={run.stop}>
            Stop
          </Button>
        )}
        {run.state === "stopped" && (
          <Button variant="default" onClick={() => void run.start(run.sum)}>
            Go on
          </Button>
        )}
        {run.state !== "running" && <Button onClick={onClose}>Done</Button>}
      </Group>
    </Stack>
  );
};
