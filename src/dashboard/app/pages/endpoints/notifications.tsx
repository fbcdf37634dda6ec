import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { Filters } from "../../parts/filters.ts";
import { lasting } from "../../parts/ledger/ledger-words.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { causesOf, type Notification, outcomeOf } from "./endpoint-words.ts";

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
      <Group justify="space-between">
        <Title order={2} size="h4" id="notifications">
          Notifications
        </Title>
        <CopyAs asked={{ api: "email", name: "webhooks.get", fields: { team, webhookId, state } }} />
      </Group>
      <FilteredList
        fields={FIELDS}
        filters={filters}
        onShow={show}
        what="events"
        scan={scan}
        columns={columnsOf(setShown)}
        idOf={idOf}
        empty={<Empty title="No event yet">What happens to contacts and mails is posted from now on.</Empty>}
      >
        <Causes notifications={scan.found} />
      </FilteredList>
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

const Causes = ({ notifications }: { notifications: readonly Notification[] }) => {
  const causes = causesOf(notifications);
  if (causes.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Causes" verticalSpacing={4}>
        <Headings of={["Not delivered here", "Newest answer", "Beginning of the answer"]} />
        <Table.Tbody>
          {causes.map(({ cause, events, example }) => (
            <Table.Tr key={cause}>
              <Table.Td>{events}</Table.Td>
              <Table.Td className="wrap">{cause}</Table.Td>
              <Table.Td className="wrap">{example || "–"}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const Attempts = ({ notification: { eventId, lastAttempts, attempts } }: { notification: Notification }) => (
  <Stack gap="xs">
    <Text size="sm" className="wrap">
      webhook-id {eventId}
      {attempts > lastAttempts.length && `: the last ${lastAttempts.length} of ${attempts}`}
    </Text>
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="attempts" verticalSpacing={4}>
        <Headings of={["When", "Took", "Answer", "Its beginning"]} />
        <Table.Tbody>
          {lastAttempts.toReversed().map((attempt) => (
            <Table.Tr key={attempt.at}>
              <Table.Td>
                <Time at={attempt.at} />
              </Table.Td>
              <Table.Td>{lasting(attempt.ms)}</Table.Td>
              <Table.Td className="wrap">{outcomeOf(attempt)}</Table.Td>
              <Table.Td className="wrap">{attempt.response || "–"}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Stack>
);
