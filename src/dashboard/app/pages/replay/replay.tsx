import { Button, Fieldset, Group, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Chips, type FilterField } from "../../parts/list/chips.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Time } from "../../parts/text.tsx";
import { useFields } from "../rules/fields.ts";
import { Actions, Plan } from "./plan.tsx";
import { useSlices } from "./slices.ts";

const FIELDS: readonly FilterField[] = [
  { name: "time", label: "Time", kind: "time" },
  { name: "source", label: "Source" },
  { name: "type", label: "Event", placeholder: "invoice.paid" },
];

const route = getRouteApi("/webhooks/replays/new");
type Request = Parameters<typeof api.bridge.webhooks.replayAll>[0];

/** No action is chosen. A missing text stands for contact updates. */
const NONE = ",";

const requestOf = ({ actions = "contact", ...search }: Filters, dryRun: boolean, cursor?: string): Request =>
  ({ ...search, actions: actions.split(","), dryRun, ...(cursor === undefined ? {} : { cursor }) }) as Request;

/** Runs today's rules on stored webhooks: a preview, then stoppable slices. */
export const Replay = () => {
  const search = route.useSearch();
  const { actions = "contact", ...filters } = search;
  const navigate = useNavigate();
  const [isRunning, setRunning] = useState(false);
  const show = (next: Filters) => void navigate({ to: "/webhooks/replays/new", search: next, resetScroll: false });
  const fields = useFields(FIELDS);
  return (
    <Page
      title="Replay"
      more={<CopyAs asked={{ api: "bridge", name: "webhooks.replayAll", fields: requestOf(search, true) ?? {} }} />}
    >
      <Text size="sm">
        A replay runs the rules of today on stored webhooks. What was sent is not sent again, and newer values are not
        overwritten.
      </Text>
      <Fieldset variant="unstyled" p={0} m={0} disabled={isRunning}>
        <Stack gap="sm">
          <Chips
            fields={fields}
            filters={filters}
            onChange={(next) => show(changed(next, search.actions === undefined ? {} : { actions }))}
          />
          <Actions
            value={actions.split(",").filter(Boolean)}
            onChange={(value) => show(changed(search, { actions: value.join(",") || NONE }))}
          />
        </Stack>
      </Fieldset>
      <Run key={JSON.stringify(search)} search={search} onRunning={setRunning} />
    </Page>
  );
};

const Run = ({ search, onRunning }: { search: Filters; onRunning: (isRunning: boolean) => void }) => {
  const queries = useQueryClient();
  const read = (dryRun: boolean) => (cursor: string | undefined) =>
    api.bridge.webhooks.replayAll(requestOf(search, dryRun, cursor));
  const dry = useSlices(read(true));
  const real = useSlices(read(false));
  const make = async (from?: typeof real.sum) => {
    onRunning(true);
    await real.start(from);
    onRunning(false);
    await queries.invalidateQueries();
  };
  if (real.state !== "idle")
    return <Part slices={real} onStart={(from) => void make(from)} isDone total={dry.sum?.webhooks} />;
  const deliveries = dry.state === "over" ? (dry.sum?.deliveries ?? 0) : 0;
  return (
    <>
      <Group gap="xs">
        {deliveries > 0 && <Button onClick={() => void make()}>Make {counted(deliveries, "delivery")}</Button>}
        <Button
          variant={deliveries > 0 ? "default" : "filled"}
          onClick={() => void dry.start()}
          loading={dry.state === "running"}
          disabled={search.actions === NONE}
        >
          Preview
        </Button>
      </Group>
      <Part slices={dry} onStart={(from) => void dry.start(from)} isDone={false} />
    </>
  );
};

type PartProps = {
  slices: ReturnType<typeof useSlices>;
  onStart: (from: ReturnType<typeof useSlices>["sum"]) => void;
  isDone: boolean;
  total?: number | undefined;
};

const Part = ({ slices: { state, sum, error, stop }, onStart, isDone, total }: PartProps) => (
  <Stack>
    {error && <Refused error={error} onProved={() => onStart(sum)} />}
    {state === "running" && (
      <Group>
        {total !== undefined && (
          <Progress w={240} value={(100 * (sum?.webhooks ?? 0)) / Math.max(1, total)} aria-label="Progress" />
        )}
        {sum?.searchedTo && (
          <Text size="sm">
            Read up to <Time at={sum.searchedTo} />
          </Text>
        )}
        <Button size="compact-xs" variant="default" onClick={stop}>
          Stop
        </Button>
      </Group>
    )}
    {state === "stopped" && (
      <Group>
        <Text size="sm">Stopped before the end.</Text>
        <Button size="compact-xs" variant="default" onClick={() => onStart(sum)}>
          Go on
        </Button>
      </Group>
    )}
    {sum && <Plan plan={sum} isDone={isDone} />}
  </Stack>
);
