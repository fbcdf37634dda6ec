import { Button, Stack, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { changed, type Filters } from "../../parts/filters.ts";
import { Chips, type FilterField } from "../../parts/list/chips.tsx";
import { type Column, ListTable, Marked, RowLink, Second } from "../../parts/list/list-table.tsx";
import { SelectionBar } from "../../parts/list/selection-bar.tsx";
import { NoMatch } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";

type Person = { id: string; name: string; email: string; plan: string; state: string; last: string; mails: number };

const PEOPLE: readonly Person[] = [
  {
    id: "1",
    name: "Grace Hopper",
    email: "grace@example.com",
    plan: "Pro",
    state: "subscribed",
    last: "Receipt, opened",
    mails: 14,
  },
  {
    id: "2",
    name: "Grace Murray Holt",
    email: "g.holt@example.org",
    plan: "Team",
    state: "subscribed",
    last: "December offer, clicked",
    mails: 6_031,
  },
  {
    id: "3",
    name: "Hanna Gracey",
    email: "hanna.gracey@example.net",
    plan: "Free",
    state: "unsubscribed",
    last: "Not sent: unsubscribed",
    mails: 3,
  },
  {
    id: "4",
    name: "Leo Graça",
    email: "leo@example.com",
    plan: "Free",
    state: "suppressed",
    last: "Not sent: hard bounce",
    mails: 1,
  },
];

const FIELDS: readonly FilterField[] = [
  { name: "q", label: "Search people", placeholder: "name, address", kind: "search" },
  { name: "since", label: "Created", kind: "time" },
  { name: "plan", label: "Plan", options: ["Free", "Pro", "Team"] },
  {
    name: "state",
    label: "Subscription",
    options: [
      { value: "subscribed", label: "Subscribed" },
      { value: "suppressed", label: "Suppressed" },
    ],
  },
  {
    name: "source",
    label: "Source",
    options: ["Stripe", "Clerk", "Supabase", "Kinde", "Paddle", "Polar", "Shopify", "Slack", "Linear"],
  },
  { name: "domain", label: "Domain", placeholder: "example.com", isRare: true },
];

const columnsFor = (query: string | undefined): readonly Column<Person>[] => [
  {
    title: "Person",
    cell: ({ name, email }) => (
      <RowLink to="/people/$personId" params={{ personId: email }} second={<Marked text={email} query={query} />}>
        <Marked text={name} query={query} />
      </RowLink>
    ),
  },
  { title: "Plan", cell: ({ plan }) => plan },
  { title: "Subscription", cell: ({ state }) => <Status kind={state} />, onPhone: "beside" },
  {
    title: "Last mail",
    cell: ({ last }) => (
      <>
        {last}
        <Second>2 min ago</Second>
      </>
    ),
  },
  { title: "Mails", cell: ({ mails }) => mails.toLocaleString("en"), isNumber: true },
];

const route = getRouteApi("/kit");

export const People = () => {
  const { since, until, ...search } = route.useSearch() as Filters;
  const filters = changed({ ...search, since: since ?? "", until: until ?? "" }, {});
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(["2"]));
  const toggle = (ids: readonly string[], on: boolean) => {
    const next = new Set(selected);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setSelected(next);
  };
  const show = (next: Filters) => void navigate({ to: "/kit", search: next });
  const { q = "", plan, state } = filters;
  const rows = PEOPLE.filter(
    (person) =>
      `${person.name} ${person.email}`.toLowerCase().includes(q.toLowerCase()) &&
      (plan === undefined || person.plan === plan) &&
      (state === undefined || person.state === state),
  );
  return (
    <Stack gap="sm" component="section" aria-label="List">
      <Title order={2}>List</Title>
      <Chips fields={FIELDS} filters={filters} onChange={show} />
      {rows.length === 0 ? (
        <NoMatch what="person" query={q === "" ? undefined : q} onClear={() => show({})} />
      ) : (
        <ListTable
          what="people"
          rows={rows}
          columns={columnsFor(q)}
          idOf={({ id }) => id}
          selection={{ selected, toggle, nameOf: ({ name }) => name }}
        />
      )}
      {selected.size > 0 && (
        <SelectionBar
          count={selected.size}
          all={{
            label: "Select all 8,767 that match",
            onAll: () =>
              toggle(
                PEOPLE.map(({ id }) => id),
                true,
              ),
          }}
          onClear={() => setSelected(new Set())}
        >
          <Button size="compact-sm" variant="default">
            Add to a list
          </Button>
        </SelectionBar>
      )}
    </Stack>
  );
};
