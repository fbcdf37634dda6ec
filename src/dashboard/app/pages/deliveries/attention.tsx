import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { type Bulk, BulkDialog } from "../../parts/acts/bulk.tsx";
import type { Each } from "../../parts/acts/commands.ts";
import { useKey } from "../../parts/keys.ts";
import { DeliveryCard } from "../../parts/ledger/delivery-card.tsx";
import { ACTIONS, counted } from "../../parts/ledger/ledger-words.ts";
import type { Cause, DeliverySearch, FoundDelivery } from "../../parts/ledger/types.ts";
import { answerOf, type Scan, useScan } from "../../parts/scan.ts";
import { Answer, Empty, Newer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { deliveriesOf, keyOf, merged, searchOf } from "./causes.ts";

/** A bulk run acts on this many of the newest deliveries. */
const AT_ONCE = 2_000;
const CAUSES = 50;
const SHOWN = 20;

/** Deliveries that need a person, by cause. */
export const Attention = () => {
  const [bulk, setBulk] = useState<Bulk<FoundDelivery>>();
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

type OnBulk = (bulk: Bulk<FoundDelivery>) => void;

const Causes = ({ onBulk }: { onBulk: OnBulk }) => {
  const scan = useScan<Cause>(
    ["bridge", "causes"],
    async (cursor, signal) => {
      const { data, ...reach } = await api.bridge.deliveries.causes({ cursor }, { signal });
      return { ...reach, data: data.filter((entry) => entry.kind === "delivery") };
    },
    { rows: Number.POSITIVE_INFINITY, idOf: keyOf },
  );
  return (
    <Stack>
      <Answer query={answerOf(scan)}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Nothing needs you">
              A delivery that failed or needs a decision is shown here until you retry or discard it.
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
          {counted(total, "delivery")}
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
          {counted(causes.length - CAUSES, "other cause")} {causes.length === CAUSES + 1 ? "has" : "have"} fewer
          deliveries. They are shown here as soon as these are retried or discarded; all deliveries are in the list "All
          deliveries".
        </Text>
      )}
      <Newer of={[scan]} />
    </>
  );
};

const CauseCard = ({ cause, onBulk }: { cause: Cause; onBulk: OnBulk }) => {
  const [opened, setOpened] = useState(false);
  const { count, message, cure, rule, source, action, state, first, last } = cause;
  return (
    <Card withBorder component="section" aria-label={`${counted(count, "delivery")}: ${message}`}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Group gap="xs">
            <Status kind={state} />
            <Title order={2} size="h5">
              {counted(count, "delivery")}
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
        <Text size="sm">{cure}</Text>
        <Text size="sm">
          {ACTIONS[action]} by the rule{" "}
          <Link to="/sources/rules/$source/$rule" params={{ source, rule }}>
            {rule}
          </Link>{" "}
          of {source}. {first === last ? <Time at={last} /> : <Span first={first} last={last} />}
        </Text>
        <Group>
          <Button size="compact-xs" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened
              ? "Hide the deliveries"
              : `Show ${count > SHOWN ? `the newest ${SHOWN} deliveries` : counted(count, "delivery")}`}
          </Button>
        </Group>
        {opened && <DeliveriesOf cause={cause} />}
      </Stack>
    </Card>
  );
};

const read = (request: DeliverySearch) => api.bridge.deliveries.search(request);

const DeliveriesOf = ({ cause }: { cause: Cause }) => {
  const query = useQuery({
    queryKey: ["bridge", "deliveries", searchOf(cause), cause.state, "newest"],
    queryFn: () => deliveriesOf(cause, SHOWN, read),
  });
  return (
    <Answer query={query} rows={3}>
      {(deliveries) =>
        deliveries.map((delivery) => (
          <DeliveryCard key={delivery.id} delivery={delivery}>
            <Text size="sm">
              Webhook{" "}
              <Link to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }}>
                {delivery.webhook.type}
              </Link>{" "}
              <Time at={delivery.webhook.acceptedAt} />
            </Text>
          </DeliveryCard>
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

const deliveriesIn = ({ length }: readonly FoundDelivery[], { count }: Cause): string =>
  length === AT_ONCE && count > length
    ? `The newest ${counted(length, "delivery")} of ${count.toLocaleString("en")}`
    : counted(length, "delivery");

const bulksOf = (cause: Cause): [label: string, bulk: Bulk<FoundDelivery>][] => {
  const find = () => deliveriesOf(cause, AT_ONCE, read);
  const each = (name: string, fields = {}): Each => ({
    list: { api: "bridge", name: "deliveries.search", fields: searchOf(cause) },
    state: cause.state,
    each: name,
    parameter: "deliveryId",
    fields,
  });
  const unknown = cause.state === "undecided";
  return [
    [
      "Retry all",
      {
        title: "Retry all deliveries of this cause",
        participle: "retried",
        find,
        label: (count) => `Retry ${counted(count, "delivery")}`,
        effect: (found) =>
          `${deliveriesIn(found, cause)} would be attempted once more, each with its own key. Where an earlier attempt arrived, nothing is sent twice.`,
        act: ({ id }) => api.bridge.deliveries.retry({ deliveryId: id }),
        asked: { api: "bridge", name: "deliveries.retryAll", fields: { ...searchOf(cause), dryRun: true } },
      },
    ],
    [
      "Discard all",
      {
        title: "Discard all deliveries of this cause",
        participle: "discarded",
        find,
        color: "red",
        word: "discard",
        label: (count) => `Discard ${counted(count, "delivery")}`,
        effect: (found) => `${deliveriesIn(found, cause)} would never be made.`,
        act: ({ id }) => api.bridge.deliveries.discard({ deliveryId: id }),
        asked: each("deliveries.discard"),
      },
    ],
    [
      "Send all again",
      {
        title: "Send all deliveries of this cause again",
        participle: "sent again",
        find,
        color: "red",
        word: "send again",
        label: (count) => `Send ${counted(count, "delivery")} again`,
        effect: (found) =>
          `${deliveriesIn(found, cause)} would be sent with new keys. ${unknown ? "The outcome of earlier attempts may be unknown: a person can get a mail twice." : "The email service has not acted where it refused every attempt; where one had no answer, a person can get a mail twice."} Retry is safer where it is possible.`,
        act: ({ id }) => api.bridge.deliveries.sendAgain({ deliveryId: id, confirm: true }),
        asked: each("deliveries.sendAgain", { confirm: true }),
      },
    ],
  ];
};
