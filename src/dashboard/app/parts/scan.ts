import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** One answer of a search. `next`: where it goes on; null at the end. `searchedTo`: the time to which it looked. */
export type Part<T> = { data: T[]; next: string | null; searchedTo?: string | null };

/** Rows of one page. */
const ROWS = 50;

/**
 * Reads a list from a cursor until a page is full. Some searches look at a part of their rows at a time: such a one goes on by itself,
 * and can be stopped. Only at its end is it certain that there is nothing more.
 */
export const useScan = <T>(
  key: readonly unknown[],
  read: Read<T>,
  { cursor, rows = ROWS }: { cursor?: string | undefined; rows?: number } = {},
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
  const last = data?.pages.at(-1);
  return {
    found,
    /** Undefined before the first answer. */
    next: last?.next,
    searchedTo: last?.searchedTo ?? undefined,
    isLooking: isFetching || looksOn,
    /** The page has all the rows that it takes. What is older is another page. */
    isFull: found.length >= rows,
    error: query.error ?? undefined,
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
  ...{ error: error ?? null, dataUpdatedAt: at, refetch: retry },
});
