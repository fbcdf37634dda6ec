import type { Filters } from "../../../parts/filters.ts";

/** Most ids that one request takes. */
export const MOST_IDS = 200;

/** The contacts of an act: those that were selected, or all of a search, with the filters that the page's address has. */
export type Target = { ids: readonly string[] } | { search: Filters };

/** The fields of a request that say which contacts are meant. A search without filters is every contact. */
export const searchFields = ({ cursor: _, team: _team, ...filters }: Filters): Record<string, unknown> => {
  const fields = Object.entries(filters).map(([name, value]) => {
    if (name === "subscribed" || name === "suppressed") return [name, value === "true"];
    return [name, name === "filter" ? JSON.parse(value) : value];
  });
  return fields.length === 0 ? { all: true } : Object.fromEntries(fields);
};

/** The fields of the slice at a cursor. `next`: the cursor of the next ids; undefined where the answer has it. */
export const sliceOf = (
  target: Target,
  cursor: string | undefined,
): { fields: Record<string, unknown>; next: string | null | undefined } => {
  if ("search" in target) {
    return { fields: { ...searchFields(target.search), ...(cursor === undefined ? {} : { cursor }) }, next: undefined };
  }
  const from = Number(cursor ?? 0);
  const end = from + MOST_IDS;
  return { fields: { ids: target.ids.slice(from, end) }, next: end < target.ids.length ? String(end) : null };
};
