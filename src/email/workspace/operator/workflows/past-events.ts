import type { PastEvent } from "../../../policy/workflows/run/replay.ts";
import { createPause } from "../../core/between-slices.ts";
import { findPattern } from "../../events/patterns.ts";

const SLICE = 2_000;

/** A stored event with its row number `n`. */
export type StoredEvent = PastEvent & { n: number };

type Row = { n: number; contact: number; pattern: number; at: number };

/**
 * Returns each contact's events between two Unix ms times, inclusive, in order. Beyond `most`, the newest are
 * returned and `isCut` is true.
 */
export const readEvents = async (
  sql: SqlStorage,
  name: string,
  { from, until, most }: { from: number; until: number; most: number },
): Promise<{ byContact: Map<number, StoredEvent[]>; count: number; first: number; isCut: boolean }> => {
  const pattern = findPattern(sql, "name", name);
  const found: Row[] = [];
  const pause = createPause();
  let before = Number.MAX_SAFE_INTEGER;
  while (pattern && found.length <= most) {
    // Row numbers are the time in microseconds, or later.
    const rows: Row[] = sql
      .exec<Row>(
        "SELECT n, contact, pattern, at FROM events WHERE n >= ? AND n < ? ORDER BY n DESC LIMIT ?",
        from * 1_000,
        before,
        SLICE,
      )
      .toArray();
    found.push(...rows.filter((row) => row.pattern === pattern.n && row.at >= from && row.at <= until));
    if (rows.length < SLICE) break;
    before = rows.at(-1)?.n ?? 0;
    await pause();
  }
  const events = found.slice(0, most).sort((row, two) => row.at - two.at || row.n - two.n);
  const byContact = new Map<number, StoredEvent[]>();
  for (const { n, contact, at } of events) {
    const own = byContact.get(contact) ?? [];
    own.push({ n, name, at });
    byContact.set(contact, own);
  }
  return { byContact, count: events.length, first: events[0]?.at ?? from, isCut: found.length > most };
};

export const propertiesOfEvent = (sql: SqlStorage, n: number): Readonly<Record<string, unknown>> => {
  const [row] = sql
    .exec<{ properties: string }>("SELECT json(properties) AS properties FROM events WHERE n = ?", n)
    .toArray();
  return row ? JSON.parse(row.properties) : {};
};
