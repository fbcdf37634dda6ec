import type { ContactIdentity, EventData, EventType } from "../../../lib/contract/outgoing-events.ts";
import { nextNumber } from "../core/numbers.ts";
import { endpointsFor } from "./endpoints.ts";

const SCHEMA_VERSION = "1.0.0";

type Clock = { sql: SqlStorage; now: number };

/**
 * Records an event for all interested endpoints in the causing transaction. Disabled endpoints keep it for a replay.
 *
 * @param data a function is called only if an endpoint wants the event
 */
export const emit = <Type extends EventType>(
  clock: Clock,
  type: Type,
  data: EventData[Type] | (() => EventData[Type] | undefined),
): void => emitEach(clock, type, [data], (given) => (typeof given === "function" ? given() : given));

/** Records an event per item, as `emit`. */
export const emitEach = <Type extends EventType, Item>(
  clock: Clock,
  type: Type,
  items: readonly Item[],
  data: (item: Item) => EventData[Type] | undefined,
): void => {
  if (items.length === 0) return;
  const endpoints = endpointsFor(clock.sql, type);
  if (endpoints.length === 0) return;
  for (const item of items) {
    const fields = data(item);
    if (!fields) continue;
    const event = record(clock, type, fields);
    for (const { n, disabled_at } of endpoints) if (disabled_at === null) queue(clock, n, event);
  }
};

/** Records an event for one endpoint and returns its id. */
export const emitTo = <Type extends EventType>(
  clock: Clock,
  endpoint: number,
  type: Type,
  data: EventData[Type],
): string => {
  const event = record(clock, type, data);
  queue(clock, endpoint, event);
  return clock.sql.exec<{ id: string }>("SELECT id FROM webhook_events WHERE n = ?", event).one().id;
};

const record = ({ sql, now }: Clock, type: EventType, fields: object): number => {
  const n = nextNumber(sql, "webhook_events", now);
  const eventTime = Math.floor(now / 1000);
  const payload = JSON.stringify({ eventName: type, eventTime, webhookSchemaVersion: SCHEMA_VERSION, ...fields });
  // The random part separates events of two teams that post to the same address.
  sql.exec(
    `INSERT INTO webhook_events (n, id, type, payload, contact, created_at)
     VALUES (?, 'evt_' || ? || '_' || lower(hex(randomblob(8))), ?, ?, ?, ?)`,
    n,
    n.toString(36),
    type,
    payload,
    contactOf(type, fields),
    now,
  );
  return n;
};

/** The deletion of a contact erases only events about the contact. `contact.deleted` holds only its identity. */
const contactOf = (type: EventType, fields: object): string | null =>
  type.startsWith("contact.") && type !== "contact.deleted" && "contactIdentity" in fields
    ? (fields.contactIdentity as ContactIdentity).id
    : null;

const queue = ({ sql, now }: Clock, endpoint: number, event: number): void => {
  sql.exec(
    `INSERT INTO webhook_notifications (endpoint, event, state, attempts, due, queued_at, log)
     VALUES (?, ?, 'waiting', 0, ?, ?, '[]')`,
    endpoint,
    event,
    now,
    now,
  );
};
