import type { Refusal } from "../../../lib/contract/errors.ts";
import { toIsoDate } from "../../../lib/util/dates.ts";
import type { PropertyType } from "../contacts/properties.ts";
import type { Context } from "../core/context.ts";
import { nextNumber } from "../core/numbers.ts";

/** Property names per pattern: they share one row of at most 2 MB. */
const MAX_LEARNED = 1_000;

/** Event names per team: a name with an id in it would make one per event. */
const MAX_PATTERNS = 10_000;

/** Refuses a new event name if the team has too many. `path`: of the name. */
export const patternRefusal = (sql: SqlStorage, name: string, path: string): Refusal | undefined => {
  if (sql.exec("SELECT 1 FROM event_patterns WHERE name = ?", name).toArray().length > 0) return undefined;
  const { count } = sql.exec<{ count: number }>("SELECT count(*) AS count FROM event_patterns").one();
  if (count < MAX_PATTERNS) return undefined;
  const message = `${path}: the team has events of ${MAX_PATTERNS} names, and cannot have more. Use one of them, and give what varies as a property.`;
  return { code: "too_many_event_patterns", path, message };
};

export type EventProperties = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Adds new property types; known types stay.
 *
 * @param properties of a received event; undefined if only the name is known
 */
export const learnPattern = (
  { sql, now, id }: Context,
  name: string,
  properties: EventProperties | undefined,
): number => {
  const known = sql
    .exec<{ n: number; types: string; received: number }>(
      "SELECT n, types, received FROM event_patterns WHERE name = ?",
      name,
    )
    .toArray()[0];
  const received = properties === undefined ? (known?.received ?? 0) : 1;
  const before = new Map(Object.entries(JSON.parse(known?.types ?? "{}") as Record<string, PropertyType>));
  const types = new Map(
    [...before, ...typesOf(properties ?? {}).filter(([name]) => !before.has(name))].slice(0, MAX_LEARNED),
  );
  const learned = JSON.stringify(Object.fromEntries(types));
  if (!known) {
    const n = nextNumber(sql, "event_patterns", now);
    sql.exec(
      "INSERT INTO event_patterns (n, id, name, types, created_at, received) VALUES (?, ?, ?, ?, ?, ?)",
      n,
      id("evp"),
      name,
      learned,
      now,
      received,
    );
    return n;
  }
  if (types.size > before.size || received !== known.received)
    sql.exec("UPDATE event_patterns SET types = ?, received = ? WHERE n = ?", learned, received, known.n);
  return known.n;
};

const typesOf = (properties: EventProperties): [string, PropertyType][] =>
  Object.entries(properties).flatMap(([name, value]): [string, PropertyType][] => {
    if (value === null) return [];
    if (typeof value !== "string") return [[name, typeof value as "number" | "boolean"]];
    return [[name, toIsoDate(value) === undefined ? "string" : "date"]];
  });
