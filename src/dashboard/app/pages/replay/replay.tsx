import { Button, Fieldset, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useCallback, useState } from "react";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import type { Filters } from "../../parts/filters.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Page } from "../../parts/page/page.tsx";
import { Time } from "../../parts/text.tsx";
import { Actions, Plan } from "./plan.tsx";
import { useSlices } from "./slices.ts";

const route = getRouteApi("/webhooks/replays/new");
type Request = Parameters<typeof api.bridge.webhooks.replayAll>[0];

/** Runs today's rules on stored webhooks: a dry run, then stoppable slices. */
export const Replay = () => {
  const search = route.useSearch();
  return (
    <Page title="Replay">
      <Text size="sm">
        A replay runs the rules of today on stored webhooks. What was sent is not sent again, and newer values are not
        overwritten.
      </Text>

      <Choice key={JSON.stringify(search)} search={search} />
    </Page>
  );
};

const requestOf = ({ actions = "contact", ...search }: Filters, dryRun: boolean, cursor?: string): Request =>
  ({ ...search, actions: actions.split(","), dryRun, ...(cursor === undefined ? {} : { cursor }) }) as Request;

const textOf = (filters: Filters): string => JSON.stringify(Object.entries(filters).toSorted());
const isSameChoice = (a: Filters, b: Filters): boolean => textOf(a) === textOf(b);

const Choice = ({ search }: { search: Filters }) => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [fields, setFields] = useState(search);
  const read = useCallback(
    (dryRun: boolean) => (cursor: string | undefined) =>
      api.bridge.webhooks.replayAll(requestOf(search, dryRun, cursor)),
    [search],
  );
  const dry = useSlices(useCallback((cursor) => read(true)(cursor), [read]));
  const real = useSlices(useCallback((cursor) => read(false)(cursor), [read]));
  const isSame = isSameChoice(fields, search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    real.clear();
    if (isSame) void dry.start();
    else void navigate({ to: "/webhooks/replays/new", search: fields });
  };
  const set = (name: string) => (value: string) =>
    setFields(({ [name]: _, ...others }) => (value === "" ? others : { ...others, [name]: value }));
  const run = async () => {
    await real.start();
    await queries.invalidateQueries();
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Fieldset variant="unstyled" disabled={real.state === "running"}>
          <Stack gap="sm" align="flex-start">
            <Group gap="sm">
              <Field name="source" label="Source" placeholder="stripe" fields={fields} onChange={set} />
              <Field name="type" label="Type" placeholder="invoice.paid" fields={fields} onChange={set} />
              <Field name="since" label="Since" placeholder="7d" fields={fields} onChange={set} />
              <Field name="until" label="Until" placeholder="1h" fields={fields} onChange={set} />
            </Group>
            <Actions
              value={(fields.actions ?? "contact").split(",").filter(Boolean)}
              onChange={(value) => set("actions")(value.join(",") || ",")}
            />
            <Group gap="xs">
              <Button type="submit" loading={dry.state === "running"} disabled={fields.actions === ","}>
                {isSame ? "Dry run" : "Use this choice"}
              </Button>
              <CopyAs asked={{ api: "bridge", name: "webhooks.replayAll", fields: requestOf(search, true) ?? {} }} />
            </Group>
          </Stack>
        </Fieldset>
      </form>
      {isSame && real.state === "idle" && <Part slices={dry} isDone={false} />}
      {isSame && dry.state === "over" && real.state === "idle" && dry.sum && dry.sum.deliveries > 0 && (
        <Group>
          <Button onClick={() => void run()}>Make {counted(dry.sum.deliveries, "delivery")}</Button>
        </Group>
      )}
      {(isSame || real.state === "over") && real.state !== "idle" && (
        <Part slices={real} isDone total={dry.sum?.webhooks} />
      )}
    </Stack>
  );
};

const Field = ({
  name,
  label,
  placeholder,
  fields,
  onChange,
}: {
  name: string;
  label: string;
  placeholder: string;
  fields: Filters;
  onChange: (name: string) => (value: string) => void;
}) => (
  <TextInput
    size="xs"
    label={label}
    placeholder={placeholder}
    value={fields[name] ?? ""}
    onChange={(event) => onChange(name)(event.currentTarget.value)}
  />
);

const Part = ({
  slices,
  isDone,
  total,
}: {
  slices: ReturnType<typeof useSlices>;
  isDone: boolean;
  total?: number | undefined;
}) => {
  const { state, sum, error, start, stop } = slices;
  return (
    <Stack gap="xs">
      {error && <Refused error={error} onProved={() => void start(sum)} />}
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
      {sum && <Plan plan={sum} isDone={isDone} />}
      {state === "stopped" && (
        <Group>
          <Text size="sm">Stopped before the end.</Text>
          <Button size="compact-xs" variant="default" onClick={() => void start(sum)}>
            Go on
          </Button>
        </Group>
      )}
    </Stack>
  );
};
