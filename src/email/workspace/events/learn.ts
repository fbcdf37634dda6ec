import { toIsoDate } from "../../../lib/util/dates.ts";
import type { Context } from "../base/context.ts";
import { nextNumber } from "../base/numbers.ts";
import type { PropertyType } from "../contacts/properties.ts";

/** Most property names in a pattern: they share one row of at most 2 MB. */
const MAX_LEARNED = 1_000;

export type EventProperties = Readonly<Record<string, string | number | boolean | null>>;

/** The pattern of this name, created if new. Adds the types of new properties; known types stay. */
export const learnPattern = ({ sql, now, id }: Context, name: string, properties: EventProperties): number => {
  const known = sql
    .exec<{ n: number; types: string }>("SELECT n, types FROM event_patterns WHERE name = ?", name)
    .toArray()[0];
  const before = new Map(Object.entries(JSON.parse(known?.types ?? "{}") as Record<string, PropertyType>));
  const types = new Map(
    [...before, ...typesOf(properties).filter(([name]) => !before.has(name))].slice(0, MAX_LEARNED),
  );
  const learned = JSON.stringify(Object.fromEntries(types));
  if (!known) {
    const n = nextNumber(sql, "event_patterns", now);
    sql.exec(
      "INSERT INTO event_patterns (n, id, name, types, created_at) VALUES (?, ?, ?, ?, ?)",
      ...[n, id("evp"), name, learned, now],
    );
    return n;
  }
  if (types.size > before.size) sql.exec("UPDATE event_patterns SET types = ? WHERE n = ?", learned, known.n);
  return known.n;
};

const typesOf = (properties: EventProperties): [string, PropertyType][] =>
  Object.entries(properties).flatMap(([name, value]): [string, PropertyType][] => {
    if (value === null) return [];
    if (typeof value !== "string") return [[name, typeof value as "number" | "boolean"]];
    return [[name, toIsoDate(value) === undefined ? "string" : "date"]];
  });
