import { isObject, type Json } from "../../lib/util/json.ts";
import { type Api, type FetchedEvent, getObject, ProviderError, type ThinEvents } from "../../lib/webhook/provider.ts";
import { isoTime, optionalObject, optionalText, unixTime } from "../../lib/webhook/shape.ts";

/** The shape of fetched objects does not depend on the default version of the account. */
const VERSION = "2026-10-28.endive";
const V1 = "v1.";
/** The key must not be sent elsewhere: an address continues that of the API. */
const PATH = /^\/v[12]\/[\w./-]+$/;
/** A snapshot event is the same webhook, though it may not be readable any more. */
const SNAPSHOT = /^evt_\w{1,200}$/;

const thinIn = (body: unknown): Json | undefined =>
  isObject(body) && body.object === "v2.core.event" && typeof body.type === "string" ? body : undefined;

const snapshotTypeOf = (type: string): string => (type.startsWith(V1) ? type.slice(V1.length) : type);

/** The API version of a snapshot event is that of its creation: Stripe ignores another one. */
const snapshotEvent = async (id: string, expected: string, get: Get): Promise<FetchedEvent | undefined> => {
  const event = await get(`/v1/events/${encodeURIComponent(id)}`);
  if (event === "not found") return undefined;
  const object = optionalObject(optionalObject(event, "data") ?? {}, "object");
  if (event.id !== id || !object) throw new ProviderError("Its answer is not the event.", 200);
  const type = optionalText(event, "type") ?? expected;
  return { id, type, occurredAt: unixTime(event.created, 1000), body: event };
};

type Get = (path: string) => Promise<Json | "not found">;

/**
 * A thin event (`v1.*`, `v2.*`) names an object. Its snapshot event, if it has one, tells the object as it was. Otherwise
 * the current object is fetched, and set back by the changes that the event has.
 * @see https://docs.stripe.com/event-destinations#thin-events
 * @see https://docs.stripe.com/webhooks/migrate-snapshot-to-thin-events
 */
export const stripeThinEvents: ThinEvents = {
  read: (body) => {
    const thin = thinIn(body);
    if (!thin) return undefined;
    const related = optionalObject(thin, "related_object");
    const [kind, id] = [optionalText(related, "type"), optionalText(related, "id")];
    return {
      type: snapshotTypeOf(thin.type as string),
      object: kind && id ? `${kind} ${id}` : `event ${optionalText(thin, "id") ?? ""}`,
    };
  },
  fetch: async (body, api): Promise<FetchedEvent> => {
    const thin = thinIn(body);
    if (!thin) return { gone: "the webhook was erased" };
    const get = getFor(thin, api);
    const type = snapshotTypeOf(thin.type as string);
    const named = optionalText(thin, "snapshot_event");
    const exact = named === undefined ? undefined : await snapshotEvent(named, type, get);
    if (exact) return exact;
    const found = await get(`/v2/core/events/${encodeURIComponent(optionalText(thin, "id") ?? "")}`);
    const event = found === "not found" ? thin : found;
    const later = optionalText(event, "snapshot_event");
    const snapshot = later === undefined || later === named ? undefined : await snapshotEvent(later, type, get);
    if (snapshot) return snapshot;
    const object = await currentObject(thin, event, type, get);
    const id = later ?? named;
    return id !== undefined && SNAPSHOT.test(id) && "body" in object ? { id, ...object } : object;
  },
};

const getFor = (thin: Json, api: Api): Get => {
  const context = optionalText(thin, "context");
  const headers = { "Stripe-Version": VERSION, ...(context === undefined ? {} : { "Stripe-Context": context }) };
  return (path) => getObject(api, path, headers);
};

const currentObject = async (thin: Json, event: Json, type: string, get: Get): Promise<FetchedEvent> => {
  const related = optionalObject(thin, "related_object");
  const [kind, path] = [optionalText(related, "type"), optionalText(related, "url")];
  if (!path || !PATH.test(path)) return { gone: "the event names no object, and has no snapshot event any more" };
  const object = await get(path);
  if (object === "not found") return { gone: `there is no such ${kind ?? "object"}` };
  if (object.deleted === true && !type.endsWith(".deleted"))
    return { gone: `the ${kind ?? "object"} was deleted since` };
  const { before, after } = optionalObject(event, "changes") ?? {};
  const changed = isObject(before) ? { previous_attributes: before } : {};
  // Snapshot events have whole seconds, and both kinds must be comparable.
  const created = Math.floor((isoTime(optionalText(thin, "created")) ?? Number.NaN) / 1000);
  const account = optionalText(thin, "context");
  return {
    type,
    occurredAt: unixTime(created, 1000),
    body: {
      id: thin.id,
      object: "event",
      type,
      created,
      livemode: thin.livemode,
      ...(account === undefined ? {} : { account }),
      data: { object: isObject(after) ? merged(object, after) : object, ...changed },
    },
  };
};

/** `changes` have only the changed parts of an object. */
const merged = (object: Json, after: Json): Json => {
  const result: Record<string, unknown> = { ...object };
  for (const [key, value] of Object.entries(after)) {
    const known = result[key];
    result[key] = isObject(known) && isObject(value) ? merged(known, value) : value;
  }
  return result;
};
