import { fullJitter } from "../lib/backoff.ts";
import type { createClient } from "../lib/client.ts";
import {
  addressOf,
  isOutlived,
  isStale,
  type Marks,
  personOf,
  readMarks,
  resolve,
  saveMarks,
  WHOLE,
} from "./identity.ts";
import { acceptedAt, read, save } from "./journal.ts";
import { horizonOf, IDENTITY_WAIT, type Outcome } from "./outcome.ts";
import type { Attempt, Call, Journalled } from "./types.ts";

/** How calls are written for the host. */
export type DeliveryConfig = {
  /** Template name to transactionalId. */
  templates: Readonly<Record<string, string>>;
  /** `nested`: custom properties under `properties` (the specification); `flat`: as top-level keys (the published hosted service). */
  contactProperties: "nested" | "flat";
  /** Mailing list name to id. */
  lists: Readonly<Record<string, string>>;
  /** Addresses (`ada@example.com`) and domains (`@example.com`), lower case, that calls may be about; empty: all. */
  allowed: readonly string[];
};

/** Contact fields that are written at top level in either form. */
const standardFields = new Set(["firstName", "lastName", "source", "userGroup", "subscribed", "mailingLists"]);

/** A claimed call, ready to leave: the request goes out once the claim is durable. */
export type Claim = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  /** What is written of whom, once it lands. */
  landing: Marks;
  person?: string;
};

/** Attempts kept per call: the first and the newest ones tell the story. */
const MAX_ATTEMPTS_KEPT = 20;

/**
 * Decides what a waiting call comes to now: a claim (written as `sending`, with the time), or a final state without a
 * request (expired, superseded, no such template, nobody to send to), or `undefined` when it still waits for its person.
 * One row either way.
 */
export const claim = (
  sql: SqlStorage,
  config: DeliveryConfig,
  seq: number,
  index: number,
  now: number,
): { call: Call; claim?: Claim } | undefined => {
  const webhook = read(sql, seq);
  const call = webhook?.calls[index];
  if (!webhook || !call || (call.state !== "waiting" && call.state !== "sending")) return undefined;
  const decided = (state: Decided["state"], message: string) => {
    Object.assign(call, { state, message, settledAt: now });
    return { call: save(sql, webhook)[index] ?? call };
  };

  // Only a try that was cut off (a crash, an eviction) is still `sending` here: nobody knows whether it was acted on.
  const cutOff = call.state === "sending" ? call.attempts.at(-1) : undefined;
  if (cutOff) {
    cutOff.message ??= "The bridge was interrupted before it learned the outcome.";
    call.unknownSince ??= cutOff.at;
  }
  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt) {
    return decided("dead", "expired: the mail would have come too late to be of use.");
  }
  const horizon = call.unknownSince === undefined ? Number.POSITIVE_INFINITY : call.unknownSince + horizonOf(call);
  if (now >= horizon) {
    return decided(
      "parked",
      "The host may or may not have acted on it, and its memory of the key ends soon. Ask the host, then retry or discard.",
    );
  }
  const prepared = prepare(sql, config, webhook, call);
  if ("wait" in prepared) {
    return now >= acceptedAt(seq) + IDENTITY_WAIT ? decided("parked", prepared.wait) : { call };
  }
  if ("state" in prepared) return decided(prepared.state, prepared.message);

  call.state = "sending";
  call.attempts = [...call.attempts.slice(0, 1), ...call.attempts.slice(1).slice(2 - MAX_ATTEMPTS_KEPT), { at: now }];
  delete call.message;
  save(sql, webhook);
  return { call, claim: prepared };
};

/** What a call came to without a request. */
type Decided = { state: "superseded" | "skipped" | "dead" | "parked"; message: string };
type Prepared = Claim | { wait: string } | Decided;

/** Resolves the contact and writes the request in the host's words. */
const prepare = (sql: SqlStorage, config: DeliveryConfig, webhook: Journalled, call: Call): Prepared => {
  const contact = resolve(sql, call.contact);
  if (!contact)
    return { wait: `No webhook has told whose ${call.contact.ref ?? "id"} is: no email or userId is linked to it.` };
  if (config.allowed.length > 0 && !isAllowed(config.allowed, addressOf(sql, call.contact) ?? contact.email)) {
    return { state: "skipped", message: "ALLOWED_RECIPIENTS does not name this person's address." };
  }
  const options = (signal: AbortSignal) => ({ idempotencyKey: call.key, signal });

  if (call.action === "contact" || call.action === "delete") {
    const person = personOf(sql, contact.userId ? `user:${contact.userId}` : `email:${contact.email?.toLowerCase()}`);
    const marks = readMarks(sql, person);
    const { occurredAt, rank } = webhook;
    const overtaken = {
      state: "superseded",
      message: "Newer webhooks overtook everything it would have done.",
    } as const;
    if (call.action === "delete") {
      if (isOutlived(marks, occurredAt, rank)) return overtaken;
      // By user id where there is one: this operation takes one identifier.
      const whom = contact.userId ? { userId: contact.userId } : { email: contact.email };
      const send: Claim["send"] = (api, signal) => api.contacts.delete(whom, { signal });
      return { landing: { [WHOLE]: [occurredAt, rank] }, person, send };
    }
    const lists = Object.entries(call.lists ?? {});
    const unknown = lists.find(([name]) => !Object.hasOwn(config.lists, name));
    if (unknown) return { state: "dead", message: `LISTS names no id for the mailing list "${unknown[0]}".` };
    const isFresh = (name: string) => !isStale(marks, name, occurredAt, rank);
    const fresh = Object.entries(call.properties).filter(([name]) => isFresh(name));
    const freshLists = lists.filter(([name]) => isFresh(listMark(name)));
    const given = Object.keys(call.properties).length + lists.length;
    if (given > 0 ? fresh.length + freshLists.length === 0 : !isFresh(WHOLE)) return overtaken;
    const names = [...fresh.map(([name]) => name), ...freshLists.map(([name]) => listMark(name))];
    const landing: Marks = Object.fromEntries(names.map((name) => [name, [occurredAt, rank]]));
    const mailingLists = Object.fromEntries(freshLists.map(([name, joins]) => [config.lists[name], joins]));
    const body = {
      ...contact,
      ...inDialect(Object.fromEntries(fresh), config.contactProperties),
      ...(freshLists.length > 0 ? { mailingLists } : {}),
    };
    return { landing, person, send: (api, signal) => api.contacts.update(body, { signal }) };
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
  const own = Object.entries(properties).filter(([name]) => standardFields.has(name));
  const custom = Object.entries(properties).filter(([name]) => !standardFields.has(name));
  return { ...Object.fromEntries(own), ...(custom.length > 0 ? { properties: Object.fromEntries(custom) } : {}) };
};

/** A try that has come to an outcome. */
export type Settlement = {
  outcome: Outcome;
  claim: Claim;
  /** Unix ms. */
  now: number;
  /** 0 ≤ random < 1, for the jitter. */
  random: number;
  /** When delivery goes on, if the outcome stopped it, Unix ms. */
  resumesAt: number;
  /** Start of the newest try whose key the host accepted, Unix ms. */
  acceptedAt: number;
};

/** Ms by which a call that the host limits or holds lets the others go first; doubled with each refusal in a row. */
const STEP_BACK = { limited: 100, held: 5_000 };
const LONGEST_STEP_BACK = 300_000;

/**
 * Records what a try came to: one row, and one more for the person when a contact update landed.
 *
 * @returns the call as it is kept now
 */
export const settle = (sql: SqlStorage, seq: number, index: number, settlement: Settlement): Call | undefined => {
  const { outcome, claim, now } = settlement;
  const webhook = read(sql, seq);
  const call = webhook?.calls[index];
  // Decided meanwhile by another try of the same key or by a person: the first decision stands.
  if (!webhook || !call || call.state !== "sending") return call;
  record(call, settlement);
  const kept = save(sql, webhook);
  if (outcome.kind === "done" && claim.person !== undefined) {
    // Whose the value was when it was sent; that person may have become part of another one since.
    const person = personOf(sql, claim.person);
    saveMarks(sql, person, readMarks(sql, person), claim.landing, now);
  }
  return kept[index];
};

const record = (call: Call, { outcome, now, random, resumesAt, acceptedAt }: Settlement): void => {
  const attempt: Attempt = call.attempts.at(-1) ?? { at: now };
  attempt.ms = now - attempt.at;
  if (outcome.status !== undefined) attempt.status = outcome.status;
  if (outcome.message !== undefined) attempt.message = outcome.message;
  if (outcome.message !== undefined) call.message = outcome.message;
  call.state = "waiting";

  if (outcome.kind === "limited" || outcome.kind === "held") {
    const { count, since } = call.refusals ?? { count: 0, since: now };
    // The key is good for other calls, so this refusal is about this one.
    if (outcome.status === 403 && count > 0 && acceptedAt > since) {
      decide(call, "dead", now);
      return;
    }
    // The refusal is about the team, not the call: it is no try, and the call waits behind the others.
    call.attempts.pop();
    call.refusals = { count: count + 1, since };
    call.due = resumesAt + Math.min(LONGEST_STEP_BACK, STEP_BACK[outcome.kind] * 2 ** Math.min(count, 20));
    return;
  }
  delete call.refusals;
  if (outcome.kind === "unknown") {
    call.unknownSince ??= attempt.at;
    attempt.wait = fullJitter(call.attempts.length, random);
    call.due = now + attempt.wait;
    return;
  }
  if (outcome.kind === "done" && outcome.result !== undefined) call.result = outcome.result;
  decide(call, outcome.kind, now);
};

const decide = (call: Call, state: "done" | "dead", now: number): void => {
  call.state = state;
  call.settledAt = now;
};
