import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useKey } from "../../frame/keys.ts";
import { type Bulk, BulkDialog } from "../../parts/acts/bulk.tsx";
import type { Each } from "../../parts/acts/commands.ts";
import { CallCard } from "../../parts/ledger/call-card.tsx";
import type { CallSearch, Cause, FoundCall } from "../../parts/ledger/types.ts";
import { ACTIONS, counted } from "../../parts/ledger/words.ts";
import { answerOf, type Scan, useScan } from "../../parts/scan.ts";
import { Answer, Empty, Newer } from "../../parts/states.tsx";
import { State, Time } from "../../parts/text.tsx";
import { callsOf, keyOf, merged, searchOf } from "./causes.ts";

/** A bulk run acts on this many of the newest deliveries. */
const AT_ONCE = 2_000;
const CAUSES = 50;
const SHOWN = 20;

const WHAT_NEXT: Readonly<Record<string, string>> = {
  dead: "A dead call is not attempted again by itself. Mend the cause first: the template (each call says how), the rule, or a setting. Then retry the call.",
  parked: "A parked call waits for your decision, because nothing can tell here whether another attempt is right.",
};

/** Deliveries that need a person, by cause. */
export const Attention = () => {
  const [bulk, setBulk] = useState<Bulk<FoundCall>>();
  useKey("r", () => pressIn("r"));
  useKey("d", () => pressIn("d"));
  return (
    <>
      <Causes onBulk={setBulk} />
      <BulkDialog bulk={bulk} onClose={() => setBulk(undefined)} />
    </>
  );
};

const pressIn = (key: string): void => {
  const causes = document.querySelectorAll("main section");
  const part =
    document.activeElement?.closest("main article, main section") ?? (causes.length === 1 ? causes[0] : null);
  part?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
};

type OnBulk = (bulk: Bulk<FoundCall>) => void;

const Causes = ({ onBulk }: { onBulk: OnBulk }) => {
  const scan = useScan<Cause>(
    ["bridge", "causes"],
    (cursor, signal) => api.bridge.calls.causes({ cursor }, { signal }),
    { rows: Number.POSITIVE_INFINITY, idOf: keyOf },
  );
  return (
    <Stack>
      <Answer query={answerOf(scan)}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Nothing needs you">
              A call that is dead or parked is shown here until you retry or discard it.
            </Empty>
          ) : (
            <Found causes={merged(found)} scan={scan} onBulk={onBulk} />
          )
        }
      </Answer>
    </Stack>
  );
};

const Found = ({ causes, scan, onBulk }: { causes: readonly Cause[]; scan: Scan<Cause>; onBulk: OnBulk }) => {
  const { next, isLooking } = scan;
  const total = causes.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Group gap="xs">
        <Text role="status">
          {counted(total, "call")}
          {next === null ? "" : " or more"} {total === 1 ? "needs" : "need"} you
          {causes.length > 1 && `, with ${causes.length} causes`}
        </Text>
        {typeof next === "string" && (
          <Button size="compact-xs" variant="default" onClick={isLooking ? scan.stop : scan.lookOn}>
            {isLooking ? "Stop" : "Keep looking"}
          </Button>
        )}
      </Group>
      {causes.slice(0, CAUSES).map((cause) => (
        <CauseCard key={keyOf(cause)} cause={cause} onBulk={onBulk} />
      ))}
      {causes.length > CAUSES && (
        <Text size="sm">
          {counted(causes.length - CAUSES, "other cause")} {causes.length === CAUSES + 1 ? "has" : "have"} fewer calls.
          They are shown here as soon as these are retried or discarded; all calls are in the list "All calls".
        </Text>
      )}
      <Newer of={[scan]} />
    </>
  );
};

const CauseCard = ({ cause, onBulk }: { cause: Cause; onBulk: OnBulk }) => {
  const [opened, setOpened] = useState(false);
  const { count, message, rule, source, action, state, first, last } = cause;
  return (
    <Card withBorder component="section" aria-label={`${counted(count, "call")}: ${message}`}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Group gap="xs">
            <State state={state} />
            <Title order={2} size="h5">
              {counted(count, "call")}
            </Title>
          </Group>
          <Group gap="xs">
            {bulksOf(cause).map(([label, bulk], index) => (
              <Button key={label} size="xs" variant="default" data-key={["r", "d"][index]} onClick={() => onBulk(bulk)}>
                {label}
              </Button>
            ))}
          </Group>
        </Group>
        <Text>{message}</Text>
        <Text size="sm">{WHAT_NEXT[state]}</Text>
        <Text size="sm">
          {ACTIONS[action]} by the rule{" "}
          <Link to="/rules/$source/$rule" params={{ source, rule }}>
            {rule}
          </Link>{" "}
          of {source}. {first === last ? <Time at={last} /> : <Span first={first} last={last} />}
        </Text>
        <Group>
          <Button size="compact-xs" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened ? "Hide the calls" : `Show ${count > SHOWN ? `the newest ${SHOWN} calls` : counted(count, "call")}`}
          </Button>
        </Group>
        {opened && <CallsOf cause={cause} />}
      </Stack>
    </Card>
  );
};

const read = (request: CallSearch) => api.bridge.calls.search(request);

const CallsOf = ({ cause }: { cause: Cause }) => {
  const query = useQuery({
    queryKey: ["bridge", "calls", searchOf(cause), cause.state, "newest"],
    queryFn: () => callsOf(cause, SHOWN, read),
  });
  return (
    <Answer query={query} rows={3}>
      {(calls) =>
        calls.map((call) => (
          <CallCard key={call.id} call={call}>
            <Text size="sm">
              Webhook{" "}
              <Link to="/webhooks/$webhookId" params={{ webhookId: call.webhook.id }}>
                {call.webhook.type}
              </Link>{" "}
              <Time at={call.webhook.acceptedAt} />
            </Text>
          </CallCard>
        ))
      }
    </Answer>
  );
};

const Span = ({ first, last }: { first: string; last: string }) => (
  <>
    First <Time at={first} />, last <Time at={last} />
  </>
);

const callsIn = ({ length }: readonly FoundCall[], { count }: Cause): string =>
  length === AT_ONCE && count > length
    ? `The newest ${counted(length, "call")} of ${count.toLocaleString("en")}`
    : counted(length, "call");

const bulksOf = (cause: Cause): [label: string, bulk: Bulk<FoundCall>][] => {
  const find = () => callsOf(cause, AT_ONCE, read);
  const each = (name: string, fields = {}): Each => ({
    list: { api: "bridge", name: "calls.search", fields: searchOf(cause) },
    state: cause.state,
    each: name,
    parameter: "callId",
    fields,
  });
  const unknown = cause.state === "parked";
  return [
    [
      "Retry all",
      {
        title: "Retry all calls of this cause",
        participle: "retried",
        find,
        label: (count) => `Retry ${counted(count, "call")}`,
        effect: (found) =>
          `${callsIn(found, cause)} would be attempted once more, each with its own key. Where an earlier attempt reached the host, the host does not act twice.`,
        act: ({ id }) => api.bridge.calls.retry({ callId: id }),
        asked: { api: "bridge", name: "calls.retryAll", fields: { ...searchOf(cause), dryRun: true } },
      },
    ],
    [
      "Discard all",
      {
        title: "Discard all calls of this cause",
        participle: "discarded",
        find,
        color: "red",
        word: "discard",
        label: (count) => `Discard ${counted(count, "call")}`,
        effect: (found) => `${callsIn(found, cause)} would never be made.`,
        act: ({ id }) => api.bridge.calls.discard({ callId: id }),
        asked: each("calls.discard"),
      },
    ],
    [
      "Send all again",
      {
        title: "Send all calls of this cause again",
        participle: "sent again",
        find,
        color: "red",
        word: "send again",
        label: (count) => `Send ${counted(count, "call")} again`,
        effect: (found) =>
          `${callsIn(found, cause)} would be sent with new keys. ${unknown ? "The outcome of earlier attempts may be unknown: a person can get a mail twice." : "The host has not acted where it refused every attempt; where one had no answer, a person can get a mail twice."} Retry is safer where it is possible.`,
        act: ({ id }) => api.bridge.calls.sendAgain({ callId: id, confirm: true }),
        asked: each("calls.sendAgain", { confirm: true }),
      },
    ],
  ];
};
