import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LATER, SOON } from "../api/queries.ts";

/** One answer of a search. `next`: where it goes on; null at the end. `searchedTo`: the time to which it looked. */
export type Part<T> = { data: T[]; next: string | null; searchedTo?: string | null };

/** Rows of one page. */
const ROWS = 50;

/**
 * Reads a list from a cursor until a page is full. Some searches look at a part of their rows at a time: such a one goes on by itself,
 * and can be stopped. Only at its end is it certain that there is nothing more. With `idOf`, the newest page is read again and again; where
 * `isMoving`, because something on it is on its way, sooner.
 */
export const useScan = <T>(
  key: readonly unknown[],
  read: Read<T>,
  {
    cursor,
    rows = ROWS,
    idOf,
    isMoving = false,
  }: { cursor?: string | undefined; rows?: number; idOf?: (row: T) => string; isMoving?: boolean } = {},
) => {
  const search = [...key, cursor];
  const name = JSON.stringify(search);
  // The search that a person has stopped: another one begins by itself.
  const [stopped, setStopped] = useState<string>();
  const query = useInfiniteQuery({
    queryKey: search,
    initialPageParam: cursor,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const found = data?.pages.flatMap((page) => page.data) ?? [];
  const looksOn = hasNextPage && stopped !== name && !isError && found.length < rows;
  useEffect(() => {
    if (looksOn && !isFetching) fetchNextPage();
  }, [looksOn, isFetching, fetchNextPage]);
  const newer = useNewer<T>(search, read, {
    idOf,
    // A list that took several answers is not read again: that may take long. Nor is a page of older rows.
    isOn: cursor === undefined && data?.pages.length === 1,
    at: query.dataUpdatedAt,
    isMoving,
  });
  const last = data?.pages.at(-1);
  return {
    found,
    /** Undefined before the first answer. */
    next: last?.next,
    searchedTo: last?.searchedTo ?? undefined,
    isLooking: isFetching || looksOn,
    /** The page has all the rows that it takes. What is older is another page. */
    isFull: found.length >= rows,
    error: query.error ?? newer.error,
    /** What was not there when the list was read. `retry` shows it. */
    newer: newer.changes,
    /** Of the last answer, Unix ms. */
    at: query.dataUpdatedAt,
    stop: () => setStopped(name),
    lookOn: () => {
      setStopped(undefined);
      fetchNextPage();
    },
    retry: () => void query.refetch(),
  };
};

type Read<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Part<T>>;

/** What would move what a person reads: rows that were not there, and whether one that is there is not in the search any more. */
export type Changes = { fresh: number; isGone: boolean };
const NONE: Changes = { fresh: 0, isGone: false };

/** What a later answer of a search says of a page: its rows in their places with their values of now, and what would move them. */
export const compared = <T>(
  shown: Part<T>,
  later: Part<T>,
  idOf: (row: T) => string,
): { part: Part<T>; changes: Changes } => {
  if (shown.data.length === 0) return { part: later, changes: NONE };
  const now = new Map(later.data.map((row) => [idOf(row), row]));
  const there = new Set(shown.data.map(idOf));
  const fresh = later.data.filter((row) => !there.has(idOf(row))).length;
  // What follows the last row of the later answer may be on its next page.
  const end = later.next === null ? shown.data.length : shown.data.findLastIndex((row) => now.has(idOf(row))) + 1;
  const isGone = shown.data.slice(0, end).some((row) => !now.has(idOf(row)));
  const data = shown.data.map((row) => now.get(idOf(row)) ?? row);
  return { part: { ...(fresh > 0 || isGone ? shown : later), data }, changes: { fresh, isGone } };
};

/** Reads the newest page of a list every 15 seconds, without moving a row of it. `at`: when the list was read, Unix ms. */
const useNewer = <T>(
  search: readonly unknown[],
  read: Read<T>,
  {
    idOf,
    isOn,
    at,
    isMoving,
  }: { idOf: ((row: T) => string) | undefined; isOn: boolean; at: number; isMoving: boolean },
): { changes: Changes; error: Error | undefined } => {
  const queries = useQueryClient();
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: [...search, "newer"],
    queryFn: async ({ signal }) => {
      const stateOf = () => queries.getQueryState<InfiniteData<Part<T>>>(search);
      const before = stateOf()?.dataUpdatedAt;
      const later = await read(undefined, signal);
      const list = stateOf();
      const shown = list?.data?.pages[0];
      // Where the list itself was read meanwhile, this answer may be the older one.
      if (!idOf || !list?.data || !shown || list.fetchStatus !== "idle" || list.dataUpdatedAt !== before) return NONE;
      const { part, changes } = compared(shown, later, idOf);
      queries.setQueryData(search, { ...list.data, pages: [part] });
      return changes;
    },
    enabled: isOn && idOf !== undefined,
    initialData: NONE,
    // Only the interval asks. After an act, or when a person comes back to the tab, the list itself is read.
    staleTime: "static",
    gcTime: 0,
    ...(isMoving ? SOON : LATER),
  });
  return {
    changes: dataUpdatedAt >= at ? data : NONE,
    error: error && errorUpdatedAt > at ? error : undefined,
  };
};

/** Several lists read as one, page by page beside each other. Its cursor holds those of the lists that go on. */
export const readEach =
  <T>(
    keys: readonly string[],
    read: (key: string, cursor: string | undefined, signal: AbortSignal) => Promise<Part<T>>,
  ): Read<T> =>
  async (cursor, signal) => {
    const open: [string, string?][] = cursor === undefined ? keys.map((key) => [key]) : JSON.parse(cursor);
    const parts = await Promise.all(open.map(([key, at]) => read(key, at, signal)));
    const rest = parts.flatMap(({ next }, index) => (next === null ? [] : [[open[index]?.[0], next]]));
    return { data: parts.flatMap(({ data }) => data), next: rest.length === 0 ? null : JSON.stringify(rest) };
  };

export type Scan<T> = ReturnType<typeof useScan<T>>;

/** The rows of a scan as the answer of one query: there is none before the first row, or before it is certain that there is no row. */
export const answerOf = <T>({ found, next, error, at, retry }: Scan<T>) => ({
  data: found.length > 0 || next === null ? found : undefined,
  error: error ?? null,
  dataUpdatedAt: at,
  refetch: retry,
});
