/** Filters and cursor from the URL. */
export type Filters = Readonly<Record<string, string>>;

/** Restores text filters from a URL: the router parses values such as `subscribed=true` or JSON. */
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

/** Changes filters and drops the cursor. An empty value removes a filter. */
export const changed = (filters: Filters, changes: Readonly<Record<string, string | null | undefined>>): Filters => {
  const { cursor: _, ...rest } = filters;
  return Object.fromEntries(
    Object.entries({ ...rest, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
};

export const isFiltered = ({ cursor: _, ...filters }: Filters): boolean => Object.keys(filters).length > 0;

/** Path without filters. */
export const pathOf = (path: string): string => path.split("?")[0] ?? "";

/** Canonical URL of a page without the cursor. */
export const pathWithoutPage = (pathname: string, search: string): string => {
  const query = new URLSearchParams(search);
  query.delete("cursor");
  query.sort();
  const text = query.toString();
  return text === "" ? pathname : `${pathname}?${text}`;
};
