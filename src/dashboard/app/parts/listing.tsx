import { Button, Checkbox, Group, Stack, Table, Text } from "@mantine/core";
import { useLocation, useRouter } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { Failure } from "./failure.tsx";
import { pathWithoutPage } from "./filters.ts";
import type { Scan } from "./scan.ts";
import { Loading, Newer, NoMatch, Stale } from "./states.tsx";
import { Time } from "./text.tsx";

export type Column<T> = { title: string; cell: (row: T) => ReactNode; width?: number };

export const Headings = ({ of }: { of: readonly string[] }) => (
  <Table.Thead>
    <Table.Tr>
      {of.map((title) => (
        <Table.Th key={title}>{title}</Table.Th>
      ))}
    </Table.Tr>
  </Table.Thead>
);

/** Selected ids. `nameOf` labels rows for screen readers. */
type Selection<T> = {
  selected: ReadonlySet<string>;
  toggle: (ids: readonly string[], on: boolean) => void;
  nameOf: (row: T) => string;
};

export type ListingProps<T> = {
  what: string;
  scan: Scan<T>;
  columns: readonly Column<T>[];
  idOf: (row: T) => string;
  isFiltered: boolean;
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

/** Keys: j and k move the focus, `x` selects. */
const onKey = (event: React.KeyboardEvent<HTMLTableSectionElement>) => {
  if (
    event.key === "x" &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.altKey &&
    !(event.target instanceof HTMLInputElement)
  ) {
    document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
    return;
  }
  const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.metaKey || event.ctrlKey || event.altKey || event.target instanceof HTMLInputElement)
    return;
  const rows = [...event.currentTarget.querySelectorAll("tr")];
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>("td a") ?? []);
  const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  event.preventDefault();
};

export const Listing = <T,>(props: ListingProps<T>) => {
  const { what, scan, columns, idOf, isFiltered, onClear, onOlder, empty, selection, order = NEWEST_FIRST } = props;
  const { found, next, isLooking, error } = scan;
  const isLater = useIsLater();
  const body = useRef<HTMLTableSectionElement>(null);
  if (error && found.length === 0) return <Failure error={error} onRetry={scan.retry} />;
  if (found.length === 0 && isLooking) return <Looking what={what} scan={scan} order={order} />;
  if (found.length === 0 && next === null && isLater)
    return (
      <Group>
        <Text>{order.end}</Text>
        <First order={order} />
      </Group>
    );
  if (found.length === 0 && next === null)
    return isFiltered ? <NoMatch what={what.replace(/s$/, "")} onClear={onClear} /> : empty;
  return (
    <Stack gap="xs">
      <Stale error={error} at={scan.at} onRetry={scan.retry} />
      <Table.ScrollContainer minWidth={600}>
        <Table verticalSpacing={6} aria-label={what}>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={36}>
                  <SelectAll ids={found.map(idOf)} what={what} selection={selection} />
                </Table.Th>
              )}
              {columns.map(({ title, width }) => (
                <Table.Th key={title} w={width}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body} onKeyDown={onKey}>
            {found.map((row) => (
              <Table.Tr key={idOf(row)} className="row">
                {selection && (
                  <Table.Td>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${selection.nameOf(row)}`}
                      checked={selection.selected.has(idOf(row))}
                      onChange={({ currentTarget }) => selection.toggle([idOf(row)], currentTarget.checked)}
                    />
                  </Table.Td>
                )}
                {columns.map(({ title, cell }) => (
                  <Table.Td key={title}>{cell(row)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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

const SelectAll = <T,>({ ids, what, selection }: { ids: readonly string[]; what: string; selection: Selection<T> }) => {
  const count = ids.filter((id) => selection.selected.has(id)).length;
  return (
    <Checkbox
      size="xs"
      aria-label={`Select all ${what} on this page`}
      checked={count > 0 && count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={({ currentTarget }) => selection.toggle(ids, currentTarget.checked)}
    />
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
