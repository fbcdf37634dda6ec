import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useLocation, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../failure.tsx";
import { pathWithoutPage } from "../filters.ts";
import type { Scan } from "../scan.ts";
import { Loading, Newer, NoMatch, Stale } from "../states.tsx";
import { Time } from "../text.tsx";
import { type Column, ListTable, type Selection } from "./list-table.tsx";

export const Headings = ({ of }: { of: readonly string[] }) => (
  <Table.Thead>
    <Table.Tr>
      {of.map((title) => (
        <Table.Th key={title}>{title}</Table.Th>
      ))}
    </Table.Tr>
  </Table.Thead>
);

export type ListingProps<T> = {
  what: string;
  scan: Scan<T>;
  columns?: readonly Column<T>[];
  /** Draws the rows as cards, in place of columns. */
  card?: (row: T) => ReactNode;
  idOf: (row: T) => string;
  isFiltered: boolean;
  /** Text of the search field. */
  query?: string | undefined;
  /** Says what was searched, if nothing matches. */
  among?: ReactNode;
  onClear: () => void;
  onOlder: (cursor: string) => void;
  empty: ReactNode;
  selection?: Selection<T>;
  order?: Order;
};

/** Words for list order, paging and search progress. */
export type Order = { later: string; first: string; end: string; searched: string };

const NEWEST_FIRST: Order = {
  later: "Older",
  first: "Newest",
  end: "Nothing is older than this.",
  searched: "Searched back to",
};

export const Listing = <T,>(props: ListingProps<T>) => {
  const {
    what,
    scan,
    columns = [],
    card,
    idOf,
    isFiltered,
    query,
    among,
    onClear,
    onOlder,
    empty,
    selection,
    order = NEWEST_FIRST,
  } = props;
  const { found, next, isLooking, error } = scan;
  const isLater = useIsLater();
  if (error && found.length === 0)
    return <Failure isBlock title={`The ${what} cannot be loaded`} error={error} onRetry={scan.retry} />;
  if (found.length === 0 && isLooking) return <Looking what={what} scan={scan} order={order} />;
  if (found.length === 0 && next === null && isLater)
    return (
      <Group>
        <Text>{order.end}</Text>
        <First order={order} />
      </Group>
    );
  if (found.length === 0 && next === null)
    return isFiltered ? (
      <NoMatch
        what={what
          .replace(/^people$/, "person")
          .replace(/ies$/, "y")
          .replace(/s$/, "")}
        query={query}
        among={among}
        onClear={onClear}
      />
    ) : (
      empty
    );
  return (
    <Stack gap="xs">
      <Stale error={error} at={scan.at} onRetry={scan.retry} />
      {card ? (
        <ul className="gallery" aria-label={what}>
          {found.map((row) => (
            <li key={idOf(row)}>{card(row)}</li>
          ))}
        </ul>
      ) : (
        <ListTable what={what} rows={found} columns={columns} idOf={idOf} selection={selection} />
      )}
      <Looking what={what} scan={scan} order={order} />
      {!isLooking && (isLater || typeof next === "string") && (
        <Group>
          {isLater && <First order={order} />}
          {typeof next === "string" && (
            <Button variant="default" size="xs" onClick={() => onOlder(next)}>
              {order.later}
            </Button>
          )}
        </Group>
      )}
      <Newer of={[scan]} />
    </Stack>
  );
};

const useIsLater = (): boolean => {
  const { searchStr } = useLocation();
  return new URLSearchParams(searchStr).has("cursor");
};

const First = ({ order }: { order: Order }) => {
  const { pathname, searchStr } = useLocation();
  const { history } = useRouter();
  return (
    <Button variant="default" size="xs" onClick={() => history.push(pathWithoutPage(pathname, searchStr))}>
      {order.first}
    </Button>
  );
};

const Looking = <T,>({ what, scan, order }: { what: string; scan: Scan<T>; order: Order }) => {
  const { found, isLooking, isFull, searchedTo, next } = scan;
  if (isLooking && searchedTo === undefined) return found.length === 0 ? <Loading /> : null;
  if (!isLooking && (next === null || searchedTo === undefined)) return null;
  return (
    <Group gap="xs" role="status">
      <Text size="sm">
        {searchedTo === undefined ? "" : `${order.searched} `}
        {searchedTo !== undefined && <Time at={searchedTo} />} · {found.length} {what} found
      </Text>
      {(isLooking || !isFull) && (
        <Button size="compact-xs" variant="default" onClick={isLooking ? scan.stop : scan.lookOn}>
          {isLooking ? "Stop" : "Keep looking"}
        </Button>
      )}
    </Group>
  );
};
