import type { ContactIdentity, EventData, EventType } from "../../../lib/contract/outgoing-events.ts";
import { nextNumber } from "../core/numbers.ts";
import { endpointsFor } from "./endpoints.ts";

const SCHEMA_VERSION = "1.0.0";

type Clock = { sql: SqlStorage; now: number };

/**
 * Records an event for the team's endpoints, in the transaction of the write that caused it. Each enabled endpoint that wants the
 * type gets a delivery. Writes nothing where no endpoint wants it. An event that only disabled endpoints want is kept for a
 * replay.
 *
 * @param data the fields of the type, or a function that reads them: it is called only where an endpoint wants the event
 */
export const emit = <Type extends EventType>(
  clock: Clock,
  type: Type,
  data: EventData[Type] | (() => EventData[Type] | undefined),
): void => emitEach(clock, type, [data], (given) => (typeof given === "function" ? given() : given));

/** As `emit`, for an event of each of these items. */
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

/** Records an event for one endpoint, whatever types it wants. Returns the id of the event. */
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
  // The random part keeps the events of two teams apart that post to the same address.
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

/**
 * Id of the contact whose deletion erases the event: only events about contacts, not about mails to them. `contact.deleted` has
 * nothing to erase: the identity of the contact is the event.
 */
const contactOf = (type: EventType, fields: object): string | null =>
  type.startsWith("contact.") && type !== "contact.deleted" && "contactIdentity" in fields
    ? (fields.contactIdentity as ContactIdentity).id
    : null;

const queue = ({ sql, now }: Clock, endpoint: number, event: number): void => {
  sql.exec(
    `INSERT INTO webhook_deliveries (endpoint, event, state, attempts, due, queued_at, log)
     VALUES (?, ?, 'waiting', 0, ?, ?, '[]')`,
    endpoint,
    event,
    now,
    now,
  );
};
