import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { SOON } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import type { Filters } from "../../parts/filters.ts";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import { capital, filterOf, STATES, shortOf, whatOf, whomOf } from "../../parts/ledger/ledger-words.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import type { DeliverySearch, FoundDelivery } from "../../parts/ledger/types.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, RowLink, Second } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { useFields } from "../rules/fields.ts";
import { Backlog } from "./backlog.tsx";
import { DeliveriesPage } from "./page.tsx";

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
      <RowLink
        to="/webhooks/$webhookId"
        params={{ webhookId: delivery.webhook.id }}
        hash={delivery.id}
        second={`${delivery.webhook.type} from ${delivery.webhook.source}`}
      >
        {capital(whatOf(delivery))}
      </RowLink>
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
  {
    title: "State",
    cell: (delivery) => (
      <>
        <Status kind={delivery.state} />
        <Second>{shortOf(delivery)}</Second>
      </>
    ),
    width: "34%",
  },
  { title: "Received", cell: ({ webhook }) => <Time at={webhook.acceptedAt} />, isNumber: true },
];

const idOf = ({ id }: FoundDelivery): string => id;

const useFilters = (): Filters => useSearch({ strict: false }) as Filters;

/** Every delivery, by filters. */
export const AllDeliveries = () => <List title="All deliveries" filters={useFilters()} fields={FIELDS} />;

const OF_WAITING = FIELDS.filter(({ name }) => name !== "state");

/** Deliveries that are not decided yet, and when they will be. */
export const WaitingDeliveries = () => {
  const { data } = useQuery({ ...statusQuery, ...SOON });
  return (
    <List title="Waiting deliveries" filters={useFilters()} fields={OF_WAITING} state="waiting">
      {data && <Backlog status={data} />}
    </List>
  );
};

type ListProps = {
  title: string;
  filters: Filters;
  fields: readonly FilterField[];
  state?: string;
  children?: ReactNode;
};

const List = ({ title, filters, fields, state, children }: ListProps) => {
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
    <DeliveriesPage
      title={title}
      more={<CopyAs asked={{ api: "bridge", name: "deliveries.search", fields: wanted }} command={commandOf(wanted)} />}
    >
      {children}
      <FilteredList
        fields={useFields(fields)}
        filters={filters}
        onShow={show}
        what="deliveries"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        empty={
          state === undefined ? (
            <Empty title="No deliveries yet">
              A delivery is one contact, event or mail that a rule makes from a webhook.
            </Empty>
          ) : (
            <Empty title="Nothing waits">Every delivery is done, or needs a decision.</Empty>
          )
        }
      />
    </DeliveriesPage>
  );
};

/** `npm run why` finds deliveries only by person. */
const commandOf = ({ email, userId, ref }: Filters): Command | undefined => {
  const who = email ?? userId ?? ref;
  return who === undefined ? undefined : { name: "why", args: [who] };
};
