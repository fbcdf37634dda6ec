import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { Avatar } from "../../parts/avatar/avatar.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import { type Column, Marked, RowLink, Second } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { stateText } from "../../parts/status/kinds.ts";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { valueText } from "../../story/changes.ts";
import { kindOfMail, nameOfMail } from "../../story/chapters.ts";
import { pageOf } from "../../story/subject.ts";
import type { Team } from "../../team/team.tsx";
import { BulkBar } from "./bulk/bar.tsx";
import type { ListChoice } from "./bulk/dialog.tsx";
import { useSelection } from "./bulk/selection.ts";
import { useColumns } from "./columns.ts";
import { useOpen } from "./open.ts";
import { useProperties } from "./queries.ts";
import type { Property } from "./values.ts";

type Found = Awaited<ReturnType<typeof api.email.contacts.list>>["data"][number];
type Asked = Parameters<typeof api.email.contacts.list>[0];

const YES_NO = [
  { value: "true", label: "yes" },
  { value: "false", label: "no" },
];

/** A deleted list or segment shows its id as the name. */
const fieldsOf = (
  lists: ListChoice,
  segments: ListChoice,
  { list, segmentId }: Filters,
  onEnter: FilterField["onEnter"],
): readonly FilterField[] => [
  { name: "q", label: "Search people", placeholder: "Name, address, domain, id", kind: "search", onEnter },
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

const columnsOf = (properties: readonly Property[], query: string | undefined): readonly Column<Found>[] => [
  {
    title: "Person",
    cell: (contact) => {
      const id = idOfPage(contact);
      const name = [contact.firstName, contact.lastName].filter(Boolean).join(" ");
      const shown = <Marked text={id} query={query} />;
      return (
        <RowLink
          to="/people/$personId"
          params={{ personId: id }}
          lead={<Avatar name={name || id} />}
          second={name === "" ? undefined : shown}
        >
          {name === "" ? shown : <Marked text={name} query={query} />}
        </RowLink>
      );
    },
  },
  ...properties.map(
    ({ name, label }): Column<Found> => ({
      title: label,
      cell: (contact) => (contact.properties[name] == null ? null : valueText(contact.properties[name])),
    }),
  ),
  {
    title: "Subscription",
    cell: ({ subscribed, suppressed, optInStatus }) => (
      <Status
        kind={
          suppressed
            ? "suppressed"
            : !subscribed
              ? "unsubscribed"
              : optInStatus === "pending"
                ? "not_confirmed"
                : "subscribed"
        }
      />
    ),
    onPhone: "beside",
  },
  {
    title: "Last mail",
    cell: ({ lastMail }) =>
      lastMail && (
        <>
          {nameOfMail(lastMail)}
          <Second>
            {stateText(kindOfMail(lastMail))}, <Time at={lastMail.acceptedAt} />
          </Second>
        </>
      ),
  },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140, isNumber: true, onPhone: false },
];

const idOfPage = ({ id, email, userId }: Found): string => email ?? userId ?? id;
const idOf = ({ id }: Found): string => id;
const route = getRouteApi("/team/people");

/** Newest first. */
export const Contacts = ({ team: whole, id: team }: { team: Team; id: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/people", search });
  const { cursor, ...wanted } = filters;
  const open = useOpen();
  const leave = (text: string): boolean => {
    const isWhole = pageOf(text) !== undefined;
    if (isWhole) open(text);
    return isWhole;
  };
  const { columns } = useColumns();
  const { data: properties = [] } = useProperties(whole);
  const scan = useScan<Found>(
    ["email", team, "contacts", wanted, columns],
    (at, signal) => {
      const asked = { ...(wanted as Partial<Asked>), team, cursor: at, perPage: "50" as const };
      return api.email.contacts.list(
        { ...asked, ...(columns.length > 0 && { properties: columns.join(",") }) } as Asked,
        { signal },
      );
    },
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
      fields={fieldsOf(lists, choiceOf(segmented?.data), wanted, leave)}
      filters={filters}
      onShow={show}
      what="people"
      among={
        wanted.q !== undefined && (
          <>
            Names, addresses and user ids are searched.{" "}
            <Link to="/people/$personId" params={{ personId: wanted.q }}>
              Look for “{wanted.q}” in webhooks
            </Link>
          </>
        )
      }
      scan={scan}
      columns={columnsOf(
        properties.filter(({ name }) => columns.includes(name)),
        wanted.q,
      )}
      idOf={idOf}
      selection={{ selected, toggle, nameOf: idOfPage }}
      empty={
        <Empty icon="people" title="No people yet" command="npm run import">
          People come from webhooks, files and the API. “Import” takes a file, and so does a terminal:
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
