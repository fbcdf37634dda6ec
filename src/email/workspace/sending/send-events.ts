import { happenedTo } from "../core/end-mail-sql.ts";

type Happening = { kind: string; detail: Record<string, unknown> };

/** `at`: Unix ms. */
type Event = Happening & { at: number };

/** Events per mail: a recipient knows the return path and could send endless bounces. */
export const MAX_EVENTS = 50;

const read = (history: string | null): Event[] => JSON.parse(history ?? "[]") as Event[];

/** Attempts tell how a mail ends. */
const OF_ATTEMPTS: readonly string[] = ["deferred", "refused", "unknown", "retried"];

/**
 * Adds a line to a mail's history (JSON). A full one loses the oldest line that is not of an attempt, else of an attempt
 * that was deferred.
 *
 * @param at in Unix ms
 */
export const withEvent = (history: string | null, at: number, { kind, detail }: Happening): string => {
  const events = read(history);
  const other = events.findIndex((one) => !OF_ATTEMPTS.includes(one.kind));
  const oldest = other >= 0 ? other : events.findIndex((one) => one.kind === "deferred");
  const kept = events.length < MAX_EVENTS ? events : events.toSpliced(Math.max(0, oldest), 1);
  return JSON.stringify([...kept, { at, kind, detail }]);
};

/** Adds a line to a mail's history without repetition. */
export const noteEvents = ({ sql, now }: { sql: SqlStorage; now: number }, n: number, happening: Happening): void => {
  const [row] = sql.exec<{ history: string | null }>("SELECT history FROM sends WHERE n = ?", n).toArray();
  if (!row || read(row.history).some(({ at, kind }) => at === now && kind === happening.kind)) return;
  sql.exec("UPDATE sends SET history = ? WHERE n = ?", withEvent(row.history, now, happening), n);
};

/** Returns what happened to a mail besides success at the first attempt, oldest first. `detail`: JSON. */
export const eventsOf = (sql: SqlStorage, n: number): { at: number; kind: string; detail: string }[] =>
  sql
    .exec<{ at: number; kind: string; detail: string }>(
      `SELECT at, kind, detail FROM ${happenedTo("?1")} ORDER BY at, kind`,
      n,
    )
    .toArray();
