import type { createClient } from "../../lib/client.ts";
import { settableFields } from "../../lib/contract/contact-fields.ts";
import { addressOf, resolve } from "../identity/links.ts";
import { personOf } from "../identity/rows.ts";
import { isOutlived, isStale, readWatermarks, type Watermarks, WHOLE } from "../identity/watermarks.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import type { DeliveryConfig } from "../model/config.ts";
import type { Call } from "../model/types.ts";

/** A request in the host's words. */
export type OutboxRequest = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  /** What is written of whom, once it lands. */
  landing: Watermarks;
  person?: string;
};

/** What a call came to without a request. */
export type Verdict = { state: "superseded" | "skipped" | "dead" | "parked"; message: string };

const OVERTAKEN: Verdict = {
  state: "superseded",
  message: "Newer webhooks overtook everything it would have done.",
};

/** Resolves the contact of a call and writes its request; or says what it waits for, or what it comes to without one. */
export const requestOf = (
  sql: SqlStorage,
  config: DeliveryConfig,
  webhook: WebhookCalls,
  call: Call,
): OutboxRequest | { wait: string } | Verdict => {
  const contact = resolve(sql, call.contact);
  if (!contact)
    return { wait: `No webhook has told whose ${call.contact.ref ?? "id"} is: no email or userId is linked to it.` };
  if (config.allowed.length > 0 && !isAllowed(config.allowed, addressOf(sql, call.contact) ?? contact.email)) {
    return { state: "skipped", message: "ALLOWED_RECIPIENTS does not name this person's address." };
  }
  const options = (signal: AbortSignal) => ({ idempotencyKey: call.key, signal });

  if (call.action === "contact") {
    const update = startUpdate(sql, contact);
    const verdict = addToUpdate(update, config, webhook, call);
    return verdict ?? updateRequest(update, config);
  }
  if (call.action === "delete") {
    const person = personOfResolved(sql, contact);
    const { occurredAt, rank } = webhook;
    if (isOutlived(readWatermarks(sql, person), occurredAt, rank)) return OVERTAKEN;
    // By user id where there is one: this operation takes one identifier.
    const whom = contact.userId ? { userId: contact.userId } : { email: contact.email };
    return {
      landing: { [WHOLE]: [occurredAt, rank] },
      person,
      send: (api, signal) => api.contacts.delete(whom, { signal }),
    };
  }
  if (call.action === "event") {
    const body = { ...contact, eventName: call.eventName, eventProperties: call.eventProperties };
    return { landing: {}, send: (api, signal) => api.events.send(body, options(signal)) };
  }
  const transactionalId = Object.hasOwn(config.templates, call.template) ? config.templates[call.template] : undefined;
  if (!transactionalId) {
    return { state: "dead", message: `TEMPLATES names no transactionalId for the template "${call.template}".` };
  }
  const email = addressOf(sql, call.contact);
  if (!email) return { wait: "No email address is known for this person." };
  const { dataVariables, addToAudience } = call;
  const body = { transactionalId, email, dataVariables, ...(addToAudience ? { addToAudience } : {}) };
  return { landing: {}, send: (api, signal) => api.transactional.send(body, options(signal)) };
};

/** An update of a contact that is being put together of one or more calls. */
type Update = {
  contact: { email?: string; userId?: string };
  person: string;
  /** What landed before, and what this update has so far. */
  marks: Watermarks;
  landing: Record<string, readonly [number, number]>;
  properties: Record<string, string | number | boolean | null>;
  mailingLists: Record<string, boolean>;
};

export const startUpdate = (sql: SqlStorage, contact: Update["contact"]): Update => {
  const person = personOfResolved(sql, contact);
  return { contact, person, marks: readWatermarks(sql, person), landing: {}, properties: {}, mailingLists: {} };
};

/** Adds what is not stale of one call. A verdict, and nothing added, where the call comes to nothing. */
export const addToUpdate = (
  update: Update,
  config: DeliveryConfig,
  { occurredAt, rank }: Pick<WebhookCalls, "occurredAt" | "rank">,
  call: Call & { action: "contact" },
): Verdict | undefined => {
  const lists = Object.entries(call.lists ?? {});
  const unknown = lists.find(([name]) => !Object.hasOwn(config.lists, name));
  if (unknown) return { state: "dead", message: `LISTS names no id for the mailing list "${unknown[0]}".` };
  const marks = { ...update.marks, ...update.landing };
  const isFresh = (name: string) => !isStale(marks, name, occurredAt, rank);
  const fresh = Object.entries(call.properties).filter(([name]) => isFresh(name));
  const freshLists = lists.filter(([name]) => isFresh(listMark(name)));
  const given = Object.keys(call.properties).length + lists.length;
  if (given > 0 ? fresh.length + freshLists.length === 0 : !isFresh(WHOLE)) return OVERTAKEN;
  for (const [name, value] of fresh) update.properties[name] = value;
  for (const [name, joins] of freshLists) update.mailingLists[config.lists[name] as string] = joins;
  for (const name of [...fresh.map(([name]) => name), ...freshLists.map(([name]) => listMark(name))])
    update.landing[name] = [occurredAt, rank];
  return undefined;
};

export const updateRequest = (update: Update, config: DeliveryConfig): OutboxRequest => {
  const { contact, person, landing, properties, mailingLists } = update;
  const body = {
    ...contact,
    ...inDialect(properties, config.contactProperties),
    ...(Object.keys(mailingLists).length > 0 ? { mailingLists } : {}),
  };
  return { landing, person, send: (api, signal) => api.contacts.update(body, { signal }) };
};

const personOfResolved = (sql: SqlStorage, { email, userId }: Update["contact"]): string =>
  personOf(sql, userId ? `user:${userId}` : `email:${email?.toLowerCase()}`);

/** What the mark of a mailing list goes by: no property has a name like it. */
const listMark = (name: string): string => `list:${name}`;

const isAllowed = (allowed: readonly string[], email: string | undefined): boolean => {
  const address = email?.toLowerCase() ?? "";
  return allowed.includes(address) || allowed.includes(address.slice(address.lastIndexOf("@")));
};

/** Contact properties as the configured host wants them written. */
export const inDialect = <V>(
  properties: Record<string, V>,
  dialect: "nested" | "flat",
): Record<string, V | Record<string, V>> => {
  if (dialect === "flat") return properties;
  const own = Object.entries(properties).filter(([name]) => settableFields.has(name));
  const custom = Object.entries(properties).filter(([name]) => !settableFields.has(name));
  return { ...Object.fromEntries(own), ...(custom.length > 0 ? { properties: Object.fromEntries(custom) } : {}) };
};
