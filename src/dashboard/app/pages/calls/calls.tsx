import { Group, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import type { FilterField } from "../../parts/filter-bar.tsx";
import { FilteredList } from "../../parts/filtered-list.tsx";
import { type Filters, isFiltered } from "../../parts/filters.ts";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import type { CallSearch, FoundCall } from "../../parts/ledger/types.ts";
import { filterOf, whatOf, whomOf } from "../../parts/ledger/words.ts";
import type { Column } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { State, Time } from "../../parts/text.tsx";
import { Attention } from "./attention.tsx";

const FIELDS: readonly FilterField[] = [
  { name: "email", label: "Address", placeholder: "ada@example.com" },
  {
    name: "state",
    label: "State",
    options: ["attention", "waiting", "sending", "done", "superseded", "skipped", "dead", "parked"],
  },
  { name: "source", label: "Source" },
  { name: "rule", label: "Rule" },
  { name: "action", label: "Action", options: ["contact", "event", "transactional", "delete"] },
  { name: "since", label: "Since", placeholder: "7d" },
];

const COLUMNS: readonly Column<FoundCall>[] = [
  {
    title: "Call",
    cell: (call) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: call.webhook.id }} hash={call.id}>
        {whatOf(call)}
      </Link>
    ),
  },
  {
    title: "Person",
    cell: (call) => (
      <Group gap={2} wrap="nowrap">
        {whomOf(call)}
        <FilterLink to="/calls" search={filterOf(call)} label={`Calls for ${whomOf(call)}`} />
      </Group>
    ),
  },
  {
    title: "Rule",
    cell: ({ rule }) => (
      <Group gap={2} wrap="nowrap">
        {rule}
        <FilterLink to="/calls" search={{ rule }} label={`Calls of the rule ${rule}`} />
      </Group>
    ),
  },
  { title: "State", cell: ({ state }) => <State state={state} /> },
  { title: "Why", cell: ({ why }) => <Text size="sm">{why}</Text> },
  { title: "Accepted", cell: ({ webhook }) => <Time at={webhook.acceptedAt} />, width: 140 },
];

const idOf = ({ id }: FoundCall): string => id;
const route = getRouteApi("/calls");

/** Opens on deliveries that need a person, or shows a filtered list. */
export const Calls = () => {
  const filters = route.useSearch();
  return isFiltered(filters) || filters.cursor !== undefined ? <List filters={filters} /> : <NeedsYou />;
};

const NeedsYou = () => (
  <Page
    title="Calls"
    actions={
      <>
        <Link to="/calls" search={{ view: "all" }}>
          All calls
        </Link>
        <CopyAs asked={{ api: "bridge", name: "calls.search", fields: { state: "attention" } }} />
      </>
    }
  >
    <Attention />
  </Page>
);

const List = ({ filters }: { filters: Filters }) => {
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/calls", search: { view: "all", ...search } });
  const { view: _, ...shown } = filters;
  const { cursor, ...wanted } = shown;
  const scan = useScan<FoundCall>(
    ["bridge", "calls", wanted],
    (at, signal) => api.bridge.calls.search({ ...wanted, cursor: at, limit: "50" } as CallSearch, { signal }),
    { cursor, idOf },
  );
  return (
    <Page
      title="Calls"
      actions={
        <>
          <Link to="/calls" search={{}}>
            What needs you
          </Link>
          <CopyAs asked={{ api: "bridge", name: "calls.search", fields: wanted }} command={commandOf(wanted)} />
        </>
      }
    >
      <FilteredList
        fields={FIELDS}
        filters={shown}
        onShow={show}
        what="calls"
        scan={scan}
        columns={COLUMNS}
        idOf={idOf}
        empty={<Empty title="No call yet">Calls are what the rules make of webhooks.</Empty>}
      />
    </Page>
  );
};

/** `npm run why` finds deliveries only by person. */
const commandOf = ({ email, userId, ref }: Filters): Command | undefined => {
  const who = email ?? userId ?? ref;
  return who === undefined ? undefined : { name: "why", args: [who] };
};
