import type { Visitor } from "../../../types/tracking.ts";
import { MAX_COUNT, VISITORS } from "../../tracking/hits.ts";

type Row = { link: number; url: string } & Record<Visitor, number> & Record<`${Visitor}_at`, number | null>;

/** `at`: Unix ms of the first request. `url`: without its query. */
export type Seen = { at: number; what: "opened" | "clicked"; by: Visitor; count: number; url?: string };

export const seenOf = (sql: SqlStorage, send: number): Seen[] =>
  sql
    .exec<Row>("SELECT * FROM send_hits WHERE send = ? ORDER BY link", send)
    .toArray()
    .flatMap((row) =>
      VISITORS.flatMap((by) => {
        const at = row[`${by}_at`];
        if (at === null || row[by] === 0) return [];
        const what = row.link === 0 ? "opened" : "clicked";
        return [{ at, what, by, count: row[by], ...(row.link === 0 ? {} : { url: row.url }) } as const];
      }),
    );

/** Returns a count in words; it ends at 100. */
export const times = (count: number): string => {
  if (count === 1) return "once";
  return count >= MAX_COUNT ? `${MAX_COUNT} times or more` : `${count} times`;
};
