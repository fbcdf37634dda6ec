import type { Filters } from "../../../parts/filters.ts";

/** Maximum ids per request. */
export const MOST_IDS = 200;

/** Selected contacts, or all contacts of a search. */
export type Target = { ids: readonly string[] } | { search: Filters };

/** Search fields of a request. No filters means every contact. */
const searchFields = ({ cursor: _, team: _team, ...filters }: Filters): Record<string, unknown> => {
  const fields = Object.entries(filters).map(([name, value]) => {
    if (name === "subscribed" || name === "suppressed") return [name, value === "true"];
    return [name, name === "filter" ? JSON.parse(value) : value];
  });
  return fields.length === 0 ? { all: true } : Object.fromEntries(fields);
};

/** Fields of a slice. `next`: cursor of the next ids, undefined if the answer has it. */
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
