import { ERASED } from "../../lib/names/finder.ts";
import { addressOf, resolve } from "../identity/resolve.ts";
import { readCalls } from "../journal/read.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import { reopenCalls } from "../journal/write.ts";
import { FORMER, isOpen, isTooOld, needsAttention } from "../model/calls.ts";
import { horizonOf, isKeyed } from "../model/policy.ts";
import type { Act, Call, CallRef } from "../model/types.ts";
import { callIdOf, describeCall, timeOf, whomOf, whyCall } from "./sentences.ts";

/** A refused action changes nothing. */
type Refusal = { code: RefusalCode; message: string };
export type RefusalCode = "not_found" | "not_retryable" | "key_forgotten" | "confirmation_needed" | "not_discardable";

/** The delivery after an action, or the refusal. */
export type Acted = { call: Call } | { refusal: Refusal };

export const NOT_FOUND: Refusal = {
  code: "not_found",
  message: "There is no call with this id, or its webhook was purged. An id looks like wh_abc.0.",
};

const refuse = (code: RefusalCode, message: string): { refusal: Refusal } => ({ refusal: { code, message } });

const find = (sql: SqlStorage, { seq, index }: CallRef): { webhook: WebhookCalls; call: Call } | undefined => {
  const webhook = readCalls(sql, seq);
  const call = webhook?.calls[index];
  return webhook && call && { webhook, call };
};

/** Retries a failed or undecided delivery with the same key. Two rows. */
export const retry = (sql: SqlStorage, ref: CallRef, now: number, by?: string): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  const refusal = whyNotRetry(sql, webhook, ref, now);
  if (refusal) return { refusal };
  note(call, "retry", now, by);
  revive(call, now);
  // A contact update or removal can safely repeat, so its horizon restarts.
  if (!isKeyed(call)) delete call.unknownSince;
  reopenCalls(sql, webhook);
  return { call };
};

/** Returns the reason against a retry, or undefined. */
export const whyNotRetry = (sql: SqlStorage, webhook: WebhookCalls, ref: CallRef, now: number): Refusal | undefined => {
  const call = webhook.calls[ref.index];
  if (!call) return NOT_FOUND;
  if (call.state !== "dead" && call.state !== "parked") {
    const hint =
      call.state === "done"
        ? " To make it a second time, use send-again."
        : isTooOld(call)
          ? " To send it all the same, use send-again."
          : "";
    return { code: "not_retryable", message: `Only a dead or parked call can be retried; ${stateOf(call)}.${hint}` };
  }
  const refusal = whyNeither(sql, webhook, ref, now);
  if (refusal) return refusal;
  if (isKeyed(call) && call.unknownSince !== undefined && now >= call.unknownSince + horizonOf(call)) {
    return {
      code: "key_forgotten",
      message: `The outcome of the attempt at ${timeOf(call.unknownSince)} is unknown, and the host forgets keys after 24 h, so a retry could make the call a second time. Check at the host if it was made. If not, use send-again, which makes a new key.`,
    };
  }
  return undefined;
};

const whyNeither = (
  sql: SqlStorage,
  webhook: WebhookCalls,
  { seq, index }: CallRef,
  now: number,
): Refusal | undefined => {
  const call = webhook.calls[index] as Call;
  const not = (message: string): Refusal => ({ code: "not_retryable", message });
  // Another delivery of this rule and action is the same mail or event.
  const twin = webhook.calls.findIndex(
    (other, place) => place !== index && isSame(call, other) && (isOpen(other) || other.state === "done"),
  );
  if (isKeyed(call) && twin >= 0) return not(`A replay made this call again as ${callIdOf({ seq, index: twin })}.`);
  if (hasErased(call))
    return not(
      "Values of this call were erased, so it would be incomplete. Ask the provider to send the webhook again.",
    );
  if (call.rule === FORMER && call.former === undefined)
    return not("This call is complete: the host has no contact with the former address any more.");
  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt)
    return not(`This mail expired at ${timeOf(call.expiresAt)}. Expired mail is never sent.`);
  const known = call.action === "transactional" ? addressOf(sql, call.contact) : resolve(sql, call.contact);
  if (known === undefined)
    return not(
      `No webhook has linked ${whomOf(call)} to an email address or user id yet, so the call would be parked again. First send a webhook that does.`,
    );
  return undefined;
};

type Kind = Pick<Call, "rule" | "action"> & { repeats?: { index: number } };

/** True for equal rule and action. */
export const isSame = (a: Kind, b: Kind): boolean =>
  a.rule === b.rule && a.action === b.action && a.repeats?.index === b.repeats?.index;

/** True if secrets or a person were erased from the delivery. */
export const hasErased = (call: object): boolean => {
  const { attempts: _attempts, message: _message, acts: _acts, ...content } = call as Partial<Call>;
  const text = JSON.stringify(content);
  return text.includes(ERASED) || text.includes(encodeURIComponent(ERASED));
};

/** Discards a failed or undecided delivery. Two rows. */
export const discard = (sql: SqlStorage, ref: CallRef, now: number, by?: string): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  if (call.state !== "dead" && call.state !== "parked")
    return refuse("not_discardable", `Only a dead or parked call can be discarded; ${stateOf(call)}.`);
  if (!needsAttention(call)) return { call };
  note(call, "discard", now, by);
  Object.assign(call, { state: "dead", message: "Discarded by a person.", settledAt: now });
  reopenCalls(sql, webhook);
  return { call };
};

/**
 * Sends a delivery again with a new key. Refuses until `confirmed`.
 *
 * @param given `key`: at most 100 characters
 */
export const sendAgain = (
  sql: SqlStorage,
  ref: CallRef,
  { confirmed, key, by }: { confirmed: boolean; key: string; by?: string | undefined },
  now: number,
): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  if (call.state !== "done" && call.state !== "dead" && call.state !== "parked" && !isTooOld(call))
    return refuse(
      "not_retryable",
      `Only a done, dead or parked call, or a mail that was too old, can be sent again; ${stateOf(call)}.`,
    );
  const refusal = whyNeither(sql, webhook, ref, now);
  if (refusal) return { refusal };
  if (!confirmed) return refuse("confirmation_needed", warningOf(call));
  note(call, "send again", now, by, call.key);
  revive(call, now);
  delete call.unknownSince;
  call.key = key;
  reopenCalls(sql, webhook);
  return { call };
};

const warningOf = (call: Call): string => {
  const attempts = call.attempts.length === 1 ? "1 attempt" : `${call.attempts.length} attempts`;
  const known =
    call.state === "done"
      ? "The call is done, so this makes it a second time."
      : call.unknownSince !== undefined
        ? `The outcome of the attempt at ${timeOf(call.unknownSince)} is unknown, so this may make it a second time.`
        : call.attempts.length === 0
          ? "It was never sent before."
          : "The host refused every attempt, so this would be the first one that succeeds.";
  return `This sends ${describeCall(call)} for ${whomOf(call)} again. With the new key, the host does not recognise it as the same call. ${attempts} so far: ${whyCall(call, undefined)} ${known} To send it, add {"confirm": true}.`;
};

/** Adds an operator's action to a delivery's history. */
export const note = (call: Call, act: Act["act"], now: number, by?: string, key?: string): void => {
  const { state, message } = call;
  const done: Act = { act, at: now, state };
  if (by !== undefined) done.by = by;
  if (message !== undefined) done.message = message;
  if (key !== undefined) {
    done.key = key;
    if (call.unknownSince !== undefined) done.unknownSince = call.unknownSince;
  }
  call.acts = [...(call.acts ?? []), done];
};

/** An operator asked for it, so the mail's age no longer matters. */
const revive = (call: Call, now: number): void => {
  Object.assign(call, { state: "waiting", due: now });
  if (call.action === "transactional") delete call.notAfter;
  for (const name of ["message", "settledAt", "refusals", "result", "sentWith", "only", "exists"] as const)
    delete call[name];
};

const stateOf = (call: Call): string => `this call is ${isOpen(call) ? "already waiting" : call.state}`;
