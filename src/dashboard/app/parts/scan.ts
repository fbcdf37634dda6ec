import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LATER, SOON } from "../api/queries.ts";

/** One answer of a search. `next` is null at the end; `searchedTo` is a time. */
export type Part<T> = { data: T[]; next: string | null; searchedTo?: string | null };

const ROWS = 50;

/** Reads a list until a page is full. With `idOf` it polls the newest page, faster while `isMoving`. */
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
    // Long searches and older pages are not polled.
    isOn: cursor === undefined && data?.pages.length === 1,
    at: query.dataUpdatedAt,
    isMoving,
  });
  const last = data?.pages.at(-1);
  return {
    found,
    next: last?.next,
    searchedTo: last?.searchedTo ?? undefined,
    isLooking: isFetching || looksOn,
    isFull: found.length >= rows,
    error: query.error ?? newer.error,
    newer: newer.changes,
    /** Unix ms. */
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

/** Changes that would move rows. */
export type Changes = { fresh: number; isGone: boolean };
const NONE: Changes = { fresh: 0, isGone: false };

/** Merges a later answer into a page without moving rows. */
export const compared = <T>(
  part: Part<T>,
  later: Part<T>,
  idOf: (row: T) => string,
): { part: Part<T>; changes: Changes } => {
  if (part.data.length === 0) return { part: later, changes: NONE };
  const now = new Map(later.data.map((row) => [idOf(row), row]));
  const there = new Set(part.data.map(idOf));
  const fresh = later.data.filter((row) => !there.has(idOf(row))).length;
  // Later rows may be on the next page.
  const end = later.next === null ? part.data.length : part.data.findLastIndex((row) => now.has(idOf(row))) + 1;
  const isGone = part.data.slice(0, end).some((row) => !now.has(idOf(row)));
  const data = part.data.map((row) => now.get(idOf(row)) ?? row);
  return { part: { ...(fresh > 0 || isGone ? part : later), data }, changes: { fresh, isGone } };
};

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
      const page = list?.data?.pages[0];
      // A newer read of the list wins.
      if (!idOf || !list?.data || !page || list.fetchStatus !== "idle" || list.dataUpdatedAt !== before) return NONE;
      const { part, changes } = compared(page, later, idOf);
      queries.setQueryData(search, { ...list.data, pages: [part] });
      return changes;
    },
    enabled: isOn && idOf !== undefined,
    initialData: NONE,
    // Acts and tab focus refetch the list itself.
    staleTime: "static",
    gcTime: 0,
    ...(isMoving ? SOON : LATER),
  });
  return {
    changes: dataUpdatedAt >= at ? data : NONE,
    error: error && errorUpdatedAt > at ? error : undefined,
  };
};

/** Reads several lists by one combined cursor. */
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

/** Converts a scan to a query answer; undefined until a row or the end. */
export const answerOf = <T>({ found, next, error, at, retry }: Scan<T>) => ({
  data: found.length > 0 || next === null ? found : undefined,
  error: error ?? null,
  dataUpdatedAt: at,
  refetch: retry,
});
