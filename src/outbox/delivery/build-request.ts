import type { createClient } from "../../lib/client.ts";
import { addressOf, resolve } from "../identity/resolve.ts";
import { personOf } from "../identity/rows.ts";
import { isOutlived, isStale, readWatermarks, type Watermarks, WHOLE } from "../identity/watermarks.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import type { DeliveryConfig } from "../model/config.ts";
import { reasons } from "../model/reasons.ts";
import type { Call } from "../model/types.ts";
import { inDialect } from "./dialect.ts";

/** A request to the host, ready to be sent. */
export type HostRequest = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  /** The watermarks to save for `person` when the request succeeds. */
  written: Watermarks;
  person?: string;
};

/** How a call is settled without a request, and why. */
export type FinalState = { state: "superseded" | "skipped" | "dead" | "parked"; message: string };

const OVERTAKEN: FinalState = {
  state: "superseded",
  message: "Newer webhooks have already changed everything that this call would change.",
};

/**
 * Resolves the contact of a call and builds its request.
 *
 * @returns the request; or `wait`, the identity link that is missing; or the state in which the call ends without a request
 */
export const requestOf = (
  sql: SqlStorage,
  config: DeliveryConfig,
  webhook: WebhookCalls,
  call: Call,
): HostRequest | { wait: string } | FinalState => {
  const contact = resolve(sql, call.contact);
  if (!contact)
    return { wait: `No webhook has linked ${call.contact.ref ?? "this contact"} to an email address or a userId yet.` };
  if (config.allowed.length > 0 && !isAllowed(config.allowed, addressOf(sql, call.contact) ?? contact.email)) {
    return { state: "skipped", message: reasons.notAllowed };
  }
  const options = (signal: AbortSignal) => ({ idempotencyKey: call.key, signal });

  if (call.action === "contact") {
    const update = startUpdate(sql, contact);
    return addToUpdate(update, config, webhook, call) ?? updateRequest(update, config);
  }
  if (call.action === "delete") {
    const person = personOfResolved(sql, contact);
    const { occurredAt, rank } = webhook;
    if (isOutlived(readWatermarks(sql, person), occurredAt, rank)) return OVERTAKEN;
    // The operation takes one identifier: the user id where there is one.
    const identifier = contact.userId ? { userId: contact.userId } : { email: contact.email };
    return {
      written: { [WHOLE]: [occurredAt, rank] },
      person,
      send: (api, signal) => api.contacts.delete(identifier, { signal }),
    };
  }
  if (call.action === "event") {
    const body = { ...contact, eventName: call.eventName, eventProperties: call.eventProperties };
    return { written: {}, send: (api, signal) => api.events.send(body, options(signal)) };
  }
  const transactionalId = Object.hasOwn(config.templates, call.template) ? config.templates[call.template] : undefined;
  if (!transactionalId) {
    return { state: "dead", message: `${reasons.noTemplate} for the template "${call.template}".` };
  }
  const email = addressOf(sql, call.contact);
  if (!email) return { wait: "No email address is known for this person." };
  const { dataVariables, addToAudience } = call;
  const body = { transactionalId, email, dataVariables, ...(addToAudience ? { addToAudience } : {}) };
  return { written: {}, send: (api, signal) => api.transactional.send(body, options(signal)) };
};

/** A contact update that is built from one or more calls. */
type Update = {
  contact: { email?: string; userId?: string };
  person: string;
  /** The person's watermarks before this update. */
  known: Watermarks;
  /** The watermarks of what this update writes. */
  written: Watermarks;
  properties: Record<string, string | number | boolean | null>;
  mailingLists: Record<string, boolean>;
};

export const startUpdate = (sql: SqlStorage, contact: Update["contact"]): Update => {
  const person = personOfResolved(sql, contact);
  return { contact, person, known: readWatermarks(sql, person), written: {}, properties: {}, mailingLists: {} };
};

/** Adds the properties and mailing lists of a call that are not stale. If there are none, adds nothing and returns why. */
export const addToUpdate = (
  update: Update,
  config: DeliveryConfig,
  { occurredAt, rank }: Pick<WebhookCalls, "occurredAt" | "rank">,
  call: Call & { action: "contact" },
): FinalState | undefined => {
  const lists = Object.entries(call.lists ?? {});
  const unknown = lists.find(([name]) => !Object.hasOwn(config.lists, name));
  if (unknown) return { state: "dead", message: `${reasons.noList} for the mailing list "${unknown[0]}".` };
  const watermarks = { ...update.known, ...update.written };
  const isFresh = (name: string) => !isStale(watermarks, name, occurredAt, rank);
  const fresh = Object.entries(call.properties).filter(([name]) => isFresh(name));
  const freshLists = lists.filter(([name]) => isFresh(listKey(name)));
  const given = Object.keys(call.properties).length + lists.length;
  if (given > 0 ? fresh.length + freshLists.length === 0 : !isFresh(WHOLE)) return OVERTAKEN;
  for (const [name, value] of fresh) update.properties[name] = value;
  for (const [name, subscribed] of freshLists) update.mailingLists[config.lists[name] as string] = subscribed;
  for (const name of [...fresh.map(([name]) => name), ...freshLists.map(([name]) => listKey(name))])
    update.written[name] = [occurredAt, rank];
  return undefined;
};

export const updateRequest = (update: Update, config: DeliveryConfig): HostRequest => {
  const { contact, person, written, properties, mailingLists } = update;
  const body = {
    ...contact,
    ...inDialect(properties, config.contactProperties),
    ...(Object.keys(mailingLists).length > 0 ? { mailingLists } : {}),
  };
  return { written, person, send: (api, signal) => api.contacts.update(body, { signal }) };
};

const personOfResolved = (sql: SqlStorage, { email, userId }: Update["contact"]): string =>
  personOf(sql, userId ? `user:${userId}` : `email:${email?.toLowerCase()}`);

/** The name of a mailing list among the watermarks. No property has a name like it. */
const listKey = (name: string): string => `list:${name}`;

const isAllowed = (allowed: readonly string[], email: string | undefined): boolean => {
  const address = email?.toLowerCase() ?? "";
  return allowed.includes(address) || allowed.includes(address.slice(address.lastIndexOf("@")));
};
