import { fullJitter } from "../lib/backoff.ts";
import type { createClient } from "../lib/client.ts";
import { addressOf, isStale, type Marks, personOf, readMarks, resolve, saveMarks } from "./identity.ts";
import { acceptedAt, read, save } from "./journal.ts";
import { horizonOf, IDENTITY_WAIT, type Outcome } from "./outcome.ts";
import type { Attempt, Call, Journalled } from "./types.ts";

/** How calls are written for the host. */
export type DeliveryConfig = {
  /** Template name to transactionalId. */
  templates: Readonly<Record<string, string>>;
  /** `nested`: custom properties under `properties` (the specification); `flat`: as top-level keys (the published hosted service). */
  contactProperties: "nested" | "flat";
};

/** Contact fields that are written at top level in either form. */
const standardFields = new Set(["firstName", "lastName", "source", "userGroup", "subscribed", "mailingLists"]);

/** A claimed call, ready to leave: the request goes out once the claim is durable. */
export type Claim = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  landing: Marks;
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
  const decided = (state: "superseded" | "dead" | "parked", message: string) => {
    Object.assign(call, { state, message, settledAt: now });
    save(sql, webhook);
    return { call };
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

type Prepared = Claim | { wait: string } | { state: "superseded" | "dead" | "parked"; message: string };

/** Resolves the contact and writes the request in the host's words. */
const prepare = (sql: SqlStorage, config: DeliveryConfig, webhook: Journalled, call: Call): Prepared => {
  const contact = resolve(sql, call.contact);
  if (!contact)
    return { wait: `No webhook has told whose ${call.contact.ref ?? "id"} is: no email or userId is linked to it.` };
  const options = (signal: AbortSignal) => ({ idempotencyKey: call.key, signal });

  if (call.action === "contact") {
    const person = personOf(sql, contact.userId ? `user:${contact.userId}` : `email:${contact.email?.toLowerCase()}`);
    const marks = readMarks(sql, person);
    const fresh = Object.entries(call.properties).filter(
      ([name]) => !isStale(marks, name, webhook.occurredAt, webhook.rank),
    );
    if (fresh.length === 0 && Object.keys(call.properties).length > 0) {
      return { state: "superseded", message: "Everything it would have written was overtaken by newer webhooks." };
    }
    const landing: Marks = Object.fromEntries(fresh.map(([name]) => [name, [webhook.occurredAt, webhook.rank]]));
    const body = { ...contact, ...inDialect(Object.fromEntries(fresh), config.contactProperties) };
    return { landing, send: (api, signal) => api.contacts.update(body, { signal }) };
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

/**
 * Records what a try came to: one row, and one more for the person when a contact update landed.
 *
 * @param random 0 ≤ random < 1, for the jitter
 * @returns the call as it stands now
 */
export const settle = (
  sql: SqlStorage,
  seq: number,
  index: number,
  outcome: Outcome,
  landing: Marks,
  now: number,
  random: number,
): Call | undefined => {
  const webhook = read(sql, seq);
  const call = webhook?.calls[index];
  // Decided meanwhile by another try of the same key or by a person: the first decision stands.
  if (!webhook || !call || call.state !== "sending") return call;
  const attempt: Attempt = call.attempts.at(-1) ?? { at: now };
  attempt.ms = now - attempt.at;
  if (outcome.status !== undefined) attempt.status = outcome.status;
  if (outcome.message !== undefined) attempt.message = outcome.message;

  if (outcome.kind === "done" || outcome.kind === "dead") {
    call.state = outcome.kind;
    call.settledAt = now;
    if (outcome.message !== undefined) call.message = outcome.message;
    if (outcome.kind === "done" && outcome.result !== undefined) call.result = outcome.result;
  } else {
    call.state = "waiting";
    call.message = outcome.message;
    if (outcome.kind === "unknown") {
      call.unknownSince ??= attempt.at;
      attempt.wait = fullJitter(call.attempts.length, random);
      call.due = now + attempt.wait;
    } else {
      // The team's limit or its key refused the try, not the call: it lost nothing and stays first in line.
      call.attempts.pop();
      call.due = now;
    }
  }
  save(sql, webhook);
  if (outcome.kind === "done" && Object.keys(landing).length > 0) {
    const contact = resolve(sql, call.contact);
    const person =
      contact && personOf(sql, contact.userId ? `user:${contact.userId}` : `email:${contact.email?.toLowerCase()}`);
    if (person) saveMarks(sql, person, readMarks(sql, person), landing, now);
  }
  return call;
};
