import type { Refusal } from "./errors.ts";

export const DEFAULT_PER_PAGE = 20;

type Asked = { perPage?: number | undefined; cursor?: string | undefined };

/**
 * Returns a page, newest first. The cursor is the last `n`, so new rows do not shift later pages.
 *
 * @param rows the newest rows below `before`, at most `count`
 */
export const pageOf = <Row extends { n: number }, Item>(
  url: string,
  { perPage = DEFAULT_PER_PAGE, cursor }: Asked,
  total: number,
  rows: (before: number, count: number) => Row[],
  item: (row: Row) => Item,
  query: Readonly<Record<string, string>> = {},
) => {
  const before = beforeOf(cursor);
  if (typeof before !== "number") return { refusal: before.refusal };
  const found = rows(before, perPage + 1);
  const shown = found.slice(0, perPage);
  const last = shown.at(-1);
  const nextCursor = found.length > perPage && last ? cursorAfter(last.n) : null;
  const pagination = {
    totalResults: total,
    returnedResults: shown.length,
    perPage,
    totalPages: Math.ceil(total / perPage),
    nextCursor,
    nextPage:
      nextCursor === null
        ? null
        : `${url}?${new URLSearchParams({ ...query, perPage: `${perPage}`, cursor: nextCursor })}`,
  };
  return { body: { pagination, data: shown.map(item) } };
};

/** Decodes a cursor to a row number; an error for an unknown cursor. */
export const beforeOf = (cursor: string | undefined): number | { refusal: Refusal } => {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decode(cursor);
  if (before !== undefined) return before;
  const message = "cursor: not one that a list gave. Leave it out for the first page.";
  return { refusal: { code: "invalid_request", path: "cursor", message } };
};

/** Encodes the last row number of a page as a cursor. */
export const cursorAfter = (n: number): string => btoa(`n${n}`).replaceAll("=", "");

const decode = (cursor: string): number | undefined => {
  try {
    const [, n] = /^n(\d{1,16})$/.exec(atob(cursor)) ?? [];
    return n === undefined ? undefined : Number(n);
  } catch {
    return undefined;
  }
};
