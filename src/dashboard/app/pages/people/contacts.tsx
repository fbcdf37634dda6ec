import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { BulkBar } from "./bulk/bar.tsx";
import type { ListChoice } from "./bulk/dialog.tsx";
import { useSelection } from "./bulk/selection.ts";

type Found = Awaited<ReturnType<typeof api.email.contacts.list>>["data"][number];
type Asked = Parameters<typeof api.email.contacts.list>[0];

const YES_NO = [
  { value: "true", label: "yes" },
  { value: "false", label: "no" },
];

/** A deleted list or segment shows its id as the name. */
const fieldsOf = (lists: ListChoice, segments: ListChoice, { list, segmentId }: Filters): readonly FilterField[] => [
  { name: "q", label: "Search people", placeholder: "Begins with, such as ada@ or user_1", kind: "search" },
  { name: "subscribed", label: "Subscribed", options: YES_NO },
  { name: "suppressed", label: "Suppressed", options: YES_NO },
  { name: "list", label: "List", options: withChosen(lists, list) },
  { name: "segmentId", label: "Segment", options: withChosen(segments, segmentId) },
];

const withChosen = (choice: ListChoice, chosen: string | undefined): ListChoice =>
  chosen === undefined || choice.some(({ value }) => value === chosen)
    ? choice
    : [...choice, { value: chosen, label: chosen }];

type NamedOnes = readonly { id: string; name: string }[];
const choiceOf = (all: NamedOnes | undefined): ListChoice =>
  (all ?? []).map(({ id, name }) => ({ value: id, label: name }));

const COLUMNS: readonly Column<Found>[] = [
  {
    title: "Person",
    cell: ({ id, email, userId }) => (
      <Link to="/people/$personId" params={{ personId: email ?? userId ?? id }}>
        {email ?? userId ?? id}
      </Link>
    ),
  },
  {
    title: "Name",
    cell: ({ firstName, lastName }) => <Text size="sm">{[firstName, lastName].filter(Boolean).join(" ")}</Text>,
  },
  { title: "User id", cell: ({ userId }) => <Text size="sm">{userId}</Text> },
  {
    title: "Mail",
    cell: ({ subscribed, suppressed }) => (
      <Status kind={suppressed ? "suppressed" : subscribed ? "subscribed" : "unsubscribed"} />
    ),
  },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140 },
];

const idOf = ({ id }: Found): string => id;
const route = getRouteApi("/team/people");

/** Newest first. With a prefix filter, ordered by address. */
export const Contacts = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/people", search });
  const { cursor, ...wanted } = filters;
  const scan = useScan<Found>(
    ["email", team, "contacts", wanted],
    (at, signal) =>
      api.email.contacts.list({ ...(wanted as Partial<Asked>), team, cursor: at, perPage: "50" }, { signal }),
    { cursor, idOf },
  );
  const { data: listed } = useQuery({
    queryKey: ["email", team, "lists"],
    queryFn: ({ signal }) => api.email.lists.list({ team }, { signal }),
    staleTime: 60_000,
  });
  const { data: segmented } = useQuery({
    queryKey: ["v1", team, "segments"],
    queryFn: ({ signal }) => api.v1(team).audienceSegments.list({ perPage: "50" }, { signal }),
    staleTime: 60_000,
  });
  const lists = choiceOf(listed?.data);
  const { selected, isAll, toggle, all, clear } = useSelection(JSON.stringify(wanted));
  return (
    <FilteredList
      fields={fieldsOf(lists, choiceOf(segmented?.data), wanted)}
      filters={filters}
      onShow={show}
      what="contacts"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      selection={{ selected, toggle, nameOf: ({ email, userId, id }) => email ?? userId ?? id }}
      empty={
        <Empty title="No contact yet" command="npm run import">
          Contacts come from the API, from CSV files or from rules. "Imports" takes a file, and so does a terminal:
        </Empty>
      }
    >
      {selected.size > 0 && (
        <BulkBar
          team={team}
          lists={lists}
          selected={selected}
          isAll={isAll}
          filters={wanted}
          onAll={() => all(scan.found.map(({ id }) => id))}
          onClear={clear}
        />
      )}
    </FilteredList>
  );
};
