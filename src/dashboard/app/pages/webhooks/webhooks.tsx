import { Group, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import { filterOf, STATES, whomOf } from "../../parts/ledger/ledger-words.ts";
import type { Webhook, WebhookSearch } from "../../parts/ledger/types.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { useZone } from "../../team/use-zone.ts";

const FIELDS: readonly FilterField[] = [
  { name: "email", label: "Address", placeholder: "ada@example.com" },
  { name: "source", label: "Source" },
  { name: "type", label: "Type", placeholder: "invoice.paid" },
  {
    name: "state",
    label: "State of a delivery",
    options: STATES,
  },
  { name: "rule", label: "Rule" },
  { name: "time", label: "Time", kind: "time" },
];

const columnsOf = (filters: Filters): readonly Column<Webhook>[] => [
  {
    title: "Type",
    cell: ({ id, type }) => (
      <Group gap={2} wrap="nowrap">
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }} search={filters}>
          {type}
        </Link>
        <FilterLink to="/webhooks" search={{ ...filters, type }} label={`Webhooks of the type ${type}`} />
      </Group>
    ),
  },
  {
    title: "Source",
    cell: ({ source }) => (
      <Group gap={2} wrap="nowrap">
        {source}
        <FilterLink to="/webhooks" search={{ ...filters, source }} label={`Webhooks of ${source}`} />
      </Group>
    ),
  },
  { title: "Person", cell: (webhook) => <Persons webhook={webhook} /> },
  { title: "Deliveries", cell: (webhook) => <Outcomes webhook={webhook} /> },
  { title: "Accepted", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140 },
];

const Persons = ({ webhook: { deliveries } }: { webhook: Webhook }) => {
  const persons = new Map(deliveries.map((delivery) => [whomOf(delivery), filterOf(delivery)]));
  return [...persons].map(([whom, filter]) => (
    <Group key={whom} gap={2} wrap="nowrap">
      {whom}
      <FilterLink to="/webhooks" search={filter} label={`Webhooks of ${whom}`} />
    </Group>
  ));
};

const Outcomes = ({ webhook: { deliveries, why } }: { webhook: Webhook }) => {
  const counts = new Map<string, number>();
  for (const { state } of deliveries) counts.set(state, (counts.get(state) ?? 0) + 1);
  if (deliveries.length === 0) return <Text size="sm">{why}</Text>;
  return (
    <Group gap={4}>
      {[...counts].map(([state, count]) => (
        <Status key={state} kind={state} count={count} />
      ))}
    </Group>
  );
};

const idOf = ({ id }: Webhook): string => id;
const route = getRouteApi("/webhooks");

export const Webhooks = () => {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/webhooks", search });
  const { cursor, ...wanted } = filters;
  const zone = useZone();
  const scan = useScan<Webhook>(
    ["bridge", "webhooks", wanted],
    (at, signal) => api.bridge.webhooks.search({ ...wanted, cursor: at, limit: "50" } as WebhookSearch, { signal }),
    { cursor, idOf },
  );
  const who = wanted.email ?? wanted.userId ?? wanted.ref;
  return (
    <Page
      title="Webhooks"
      more={
        <CopyAs
          asked={{ api: "bridge", name: "webhooks.search", fields: wanted }}
          command={who === undefined ? undefined : { name: "why", args: [who] }}
        />
      }
    >
      <ActivityOf
        title={wanted.source === undefined ? "Webhooks of all sources" : `Webhooks of ${wanted.source}`}
        shows="webhooks"
        size="list"
        zone={zone}
        source={wanted.source}
        time={wanted}
        onSelect={(range) => show(changed(filters, range))}
      />
      <FilteredList
        fields={FIELDS}
        filters={filters}
        onShow={show}
        what="webhooks"
        scan={scan}
        columns={columnsOf(wanted)}
        idOf={idOf}
        empty={
          <Empty title="No webhook yet" command="npm run demo">
            Point a provider's webhooks at this bridge. On your machine, this sends samples:
          </Empty>
        }
      />
    </Page>
  );
};
