import { Button, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { Filters } from "../../parts/filters.ts";
import { lasting } from "../../parts/ledger/ledger-words.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { type Attempt, causesOf, type Notification, outcomeOf } from "./endpoint-words.ts";

type Asked = Parameters<typeof api.email.webhooks.get>[0];

const FIELDS: readonly FilterField[] = [
  { name: "state", label: "State", options: ["waiting", "delivered", "failed", "discarded"] },
];
const route = getRouteApi("/team/settings/webhooks/$webhookId");
const idOf = ({ eventId }: Notification): string => eventId;

export const Notifications = ({
  team,
  webhookId,
  isMoving,
}: {
  team: string;
  webhookId: string;
  isMoving: boolean;
}) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const [shown, setShown] = useState<Notification>();
  const { cursor, state } = filters;
  const wanted = { team, webhookId, state } as Partial<Asked> & { team: string; webhookId: string };
  const scan = useScan<Notification>(
    ["email", team, "endpoint", webhookId, "notifications", state],
    async (at, signal) => {
      const { data, pagination } = await api.email.webhooks.get(
        { ...wanted, cursor: at, perPage: "50" as never },
        { signal },
      );
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf, isMoving },
  );
  const show = (search: Filters) =>
    void navigate({ to: "/settings/webhooks/$webhookId", params: { webhookId }, search, resetScroll: false });
  return (
    <Stack gap="xs" component="section" aria-labelledby="notifications">
      <Title order={2} size="h4" id="notifications">
        Notifications
      </Title>
      <Causes notifications={scan.found} />
      <FilteredList
        fields={FIELDS}
        filters={filters}
        onShow={show}
        what="events"
        scan={scan}
        columns={columnsOf(setShown)}
        idOf={idOf}
        empty={<Empty title="No event yet">What happens to contacts and mails is posted from now on.</Empty>}
      />
      <Dialog
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown && `Attempts of ${shown.type}`}
        size="lg"
      >
        {shown && <Attempts notification={scan.found.find((one) => idOf(one) === idOf(shown)) ?? shown} />}
      </Dialog>
    </Stack>
  );
};

const columnsOf = (onShow: (notification: Notification) => void): readonly Column<Notification>[] => [
  { title: "Event", cell: ({ type }) => <Text size="sm">{type}</Text> },
  { title: "Reported", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140 },
  { title: "State", cell: ({ state }) => <Status kind={state} /> },
  {
    title: "Newest answer",
    cell: ({ lastAttempts }) => {
      const last = lastAttempts.at(-1);
      return (
        <Text size="sm" className="wrap">
          {last ? outcomeOf(last) : "–"}
        </Text>
      );
    },
    width: 200,
  },
  {
    title: "Next",
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "–" : <Time at={nextAttemptAt} />),
    width: 120,
  },
  {
    title: "Attempts",
    cell: (notification) =>
      notification.attempts === 0 ? (
        "none yet"
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onShow(notification)}
          aria-label={`Show ${notification.attempts} of ${notification.eventId}`}
        >
          Show {notification.attempts}
        </Button>
      ),
    width: 110,
  },
];

type Cause = ReturnType<typeof causesOf>[number];

const OF_CAUSES: readonly Column<Cause>[] = [
  { title: "Newest answer", cell: ({ cause }) => <span className="wrap">{cause}</span> },
  { title: "Beginning of the answer", cell: ({ example }) => <span className="wrap">{example || "–"}</span> },
  { title: "Not delivered here", cell: ({ events }) => events.toLocaleString("en"), isNumber: true },
];

const Causes = ({ notifications }: { notifications: readonly Notification[] }) => {
  const causes = causesOf(notifications);
  if (causes.length === 0) return null;
  return <ListTable what="Causes" isCompact rows={causes} columns={OF_CAUSES} idOf={({ cause }) => cause} />;
};

const OF_ATTEMPTS: readonly Column<Attempt>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} /> },
  { title: "Took", cell: ({ ms }) => lasting(ms) },
  { title: "Answer", cell: (attempt) => <span className="wrap">{outcomeOf(attempt)}</span> },
  { title: "Its beginning", cell: ({ response }) => <span className="wrap">{response || "–"}</span> },
];

const Attempts = ({ notification: { eventId, lastAttempts, attempts } }: { notification: Notification }) => (
  <Stack gap="xs">
    <Text size="sm" className="wrap">
      webhook-id {eventId}
      {attempts > lastAttempts.length && `: the last ${lastAttempts.length} of ${attempts}`}
    </Text>
    <ListTable what="attempts" isCompact rows={lastAttempts.toReversed()} columns={OF_ATTEMPTS} idOf={({ at }) => at} />
  </Stack>
);
