import { Group, Text } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import type { Filters } from "../../parts/filters.ts";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import { filterOf, STATES, whatOf, whomOf } from "../../parts/ledger/ledger-words.ts";
import type { DeliverySearch, FoundDelivery } from "../../parts/ledger/types.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";

const FIELDS: readonly FilterField[] = [
  { name: "email", label: "Address", placeholder: "ada@example.com" },
  {
    name: "state",
    label: "State",
    options: STATES,
  },
  { name: "source", label: "Source" },
  { name: "rule", label: "Rule" },
  { name: "action", label: "Action", options: ["contact", "event", "transactional", "delete", "fetch"] },
  { name: "time", label: "Time", kind: "time" },
];

const COLUMNS: readonly Column<FoundDelivery>[] = [
  {
    title: "Delivery",
    cell: (delivery) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }} hash={delivery.id}>
        {whatOf(delivery)}
      </Link>
    ),
  },
  {
    title: "Person",
    cell: (delivery) => (
      <Group gap={2} wrap="nowrap">
        {whomOf(delivery)}
        <FilterLink to="/deliveries/all" search={filterOf(delivery)} label={`Deliveries for ${whomOf(delivery)}`} />
      </Group>
    ),
  },
  {
    title: "Rule",
    cell: ({ rule }) => (
      <Group gap={2} wrap="nowrap">
        {rule}
        <FilterLink to="/deliveries/all" search={{ rule }} label={`Deliveries of the rule ${rule}`} />
      </Group>
    ),
  },
  { title: "State", cell: ({ state }) => <Status kind={state} /> },
  { title: "Why", cell: ({ why }) => <Text size="sm">{why}</Text> },
  { title: "Accepted", cell: ({ webhook }) => <Time at={webhook.acceptedAt} />, width: 140 },
];

const idOf = ({ id }: FoundDelivery): string => id;

const useFilters = (): Filters => useSearch({ strict: false }) as Filters;

/** Every delivery, by filters. */
export const AllDeliveries = () => <List title="All deliveries" filters={useFilters()} fields={FIELDS} />;

const OF_WAITING = FIELDS.filter(({ name }) => name !== "state");

/** Deliveries that are not decided yet. */
export const WaitingDeliveries = () => (
  <List title="Waiting deliveries" filters={useFilters()} fields={OF_WAITING} state="waiting" />
);

type ListProps = { title: string; filters: Filters; fields: readonly FilterField[]; state?: string };

const List = ({ title, filters, fields, state }: ListProps) => {
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: ".", search });
  const { cursor, ...chosen } = filters;
  const wanted = state === undefined ? chosen : { ...chosen, state };
  const scan = useScan<FoundDelivery>(
    ["bridge", "deliveries", wanted],
    (at, signal) => api.bridge.deliveries.search({ ...wanted, cursor: at, limit: "50" } as DeliverySearch, { signal }),
    { cursor, idOf },
  );
  return (
    <Page
      title={title}
      more={<CopyAs asked={{ api: "bridge", name: "deliveries.search", fields: wanted }} command={commandOf(wanted)} />}
    >
      <FilteredList
        fields={fields}
        filters={filters}
        onShow={show}
        what="deliveries"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        empty={
          state === undefined ? (
            <Empty title="No delivery yet">Deliveries are what the rules make of webhooks.</Empty>
          ) : (
            <Empty title="Nothing waits">Every delivery is done, or needs a decision.</Empty>
          )
        }
      />
    </Page>
  );
};

/** `npm run why` finds deliveries only by person. */
const commandOf = ({ email, userId, ref }: Filters): Command | undefined => {
  const who = email ?? userId ?? ref;
  return who === undefined ? undefined : { name: "why", args: [who] };
};
