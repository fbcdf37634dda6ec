import { Group } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, Second } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";

type Entry = Awaited<ReturnType<typeof api.dashboard.audit.list>>["data"][number];

/** The Workers that have a list, by the value of the filter `in`; the dashboard has none. */
const LISTS = { dashboard: api.dashboard.audit, bridge: api.bridge.audit, email: api.email.audit };
const isOther = (name: string | undefined): name is "bridge" | "email" => name === "bridge" || name === "email";

const FIELDS: readonly FilterField[] = [
  { name: "who", label: "Who", placeholder: "ada@example.com" },
  { name: "operation", label: "What begins with", placeholder: "bridge.deliveries" },
  { name: "time", label: "Time", kind: "time" },
  {
    name: "in",
    label: "In",
    options: [
      { value: "bridge", label: "The bridge" },
      { value: "email", label: "The email service" },
    ],
  },
];

const columnsOf = (filters: Filters): readonly Column<Entry>[] => [
  {
    title: "What",
    cell: ({ summary, operation, ids }) => (
      <>
        <Group gap={2} wrap="nowrap">
          <span className="wrap">{summary ?? operation}</span>
          <FilterLink to="/settings/audit" search={{ ...filters, operation }} label={`All of ${operation}`} />
        </Group>
        <Second>
          <span className="wrap">
            {summary !== null && `${operation} `}
            {ids.attempts === undefined ? Object.values(ids).join(" ") : <Refused {...ids} />}
          </span>
        </Second>
      </>
    ),
  },
  {
    title: "Who",
    cell: ({ who, from }) => (
      <>
        <Group gap={2} wrap="nowrap">
          <span className="wrap">{who}</span>
          <FilterLink to="/settings/audit" search={{ ...filters, who }} label={`Changes by ${who}`} />
        </Group>
        <Second>from {from}</Second>
      </>
    ),
  },
  { title: "Answer", cell: ({ status }) => status, width: 80, isNumber: true },
  { title: "When", cell: ({ at }) => <Time at={at} />, width: 150, isNumber: true },
];

const Refused = ({ attempts = "", last = "" }: Entry["ids"]) => (
  <>
    {attempts === "1" ? "1 attempt" : `${attempts} attempts`}, the last <Time at={last} />
  </>
);

const idOf = ({ id }: Entry): string => id;
const route = getRouteApi("/settings/audit");

/** Lists changes, webhook body reads, and logins with failed attempts; or the acts of a Worker, by any client. */
export const Audit = () => {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/settings/audit", search });
  const { cursor, ...wanted } = filters;
  const { in: chosen, ...given } = wanted;
  const list = isOther(chosen) ? chosen : "dashboard";
  const scan = useScan<Entry>(
    ["audit", wanted],
    (at, signal) => LISTS[list].list({ ...given, cursor: at as never }, { signal }),
    { cursor, idOf },
  );
  return (
    <Page title="Audit log" more={<CopyAs asked={{ api: list, name: "audit.list", fields: given }} />}>
      <FilteredList
        fields={FIELDS}
        filters={filters}
        onShow={show}
        what="changes"
        scan={scan}
        columns={columnsOf(wanted)}
        idOf={idOf}
        empty={
          <Empty title="Nothing was changed yet">
            {list === "dashboard"
              ? "What people change with the dashboard is listed here for 90 days, who read the body of a webhook, and who logged in or tried to."
              : "What a person of the dashboard or a request with the admin token changes there is listed here for 90 days."}
          </Empty>
        }
      />
    </Page>
  );
};
