import { eventKeys, readChanges } from "./contact-changes.ts";
import { type Context, wake } from "./context.ts";
import { toIsoDate } from "./dates.ts";
import type { Handler } from "./operations.ts";
import type { PropertyType } from "./properties.ts";
import { RETENTION_MS } from "./schema.ts";
import { triggeredBy } from "./triggers.ts";
import { upsert } from "./upsert.ts";

type EventProperties = Readonly<Record<string, string | number | boolean | null>>;

/** Records an event, creates or updates its contact, and learns the event's name and the types of its properties. */
export const sendEvent: Handler<"events.send"> = (context, input) => {
  const read = readChanges(context, input, eventKeys);
  if ("refusal" in read) return read;
  const result = upsert(context, input, read.changes);
  if ("refusal" in result) return result;

  const properties = (input.eventProperties ?? {}) as EventProperties;
  const pattern = learnPattern(context, input.eventName, properties);
  const { n } = context.sql
    .exec<{ n: number }>(
      "INSERT INTO events (contact, pattern, properties, at) VALUES (?, ?, jsonb(?), ?) RETURNING n",
      ...[result.contact.n, pattern, JSON.stringify(properties), context.now],
    )
    .one();
  for (const workflow of triggeredBy(context.sql, input.eventName)) {
    context.after.triggered.push({ workflow, event: n, contact: result.contact.n });
  }
  wake(context, context.now + RETENTION_MS);
  return { body: { success: true, id: `evt_${n}` } };
};

/** The pattern of this name, created when new; types of properties not seen before are added, known ones stay. */
const learnPattern = ({ sql, now, id }: Context, name: string, properties: EventProperties): number => {
  const known = sql
    .exec<{ n: number; types: string }>("SELECT n, types FROM event_patterns WHERE name = ?", name)
    .toArray()[0];
  const before = new Map(Object.entries(JSON.parse(known?.types ?? "{}") as Record<string, PropertyType>));
  const types = new Map([...typesOf(properties), ...before]);
  const learned = JSON.stringify(Object.fromEntries(types));
  if (!known) {
    return sql
      .exec<{ n: number }>(
        "INSERT INTO event_patterns (id, name, types, created_at) VALUES (?, ?, ?, ?) RETURNING n",
        ...[id("evp"), name, learned, now],
      )
      .one().n;
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
