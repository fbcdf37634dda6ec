/** Filters of a list and the cursor of its page, as they are in the address of the page: every view is a link. */
export type Filters = Readonly<Record<string, string>>;

/**
 * The texts in a query. An address that a person has typed has `subscribed=true` or a filter as JSON where a link has texts, and the router reads
 * these as what they look like; nothing else is a filter.
 */
export const filtersOf = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === "" ? [] : [[name, text]];
    }),
  );

const textOf = (value: unknown): string => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
};

/** Filters with some changed. The page begins anew: a cursor belongs to its filters. An empty value removes one. */
export const changed = (filters: Filters, changes: Readonly<Record<string, string | null | undefined>>): Filters => {
  const { cursor: _, ...rest } = filters;
  return Object.fromEntries(
    Object.entries({ ...rest, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
};

/** True where a list is narrowed down. */
export const isFiltered = ({ cursor: _, ...filters }: Filters): boolean => Object.keys(filters).length > 0;

/** The page of a path, without its filters. */
export const pathOf = (path: string): string => path.split("?")[0] ?? "";

/** A page with its filters, always written the same way. The cursor is left out: a view begins at its newest rows. */
export const pathWithoutPage = (pathname: string, search: string): string => {
  const query = new URLSearchParams(search);
  query.delete("cursor");
  query.sort();
  const text = query.toString();
  return text === "" ? pathname : `${pathname}?${text}`;
};
