import { addressOf, resolve } from "../identity/links.ts";
import { readCalls } from "../journal/read.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import { reopenCalls } from "../journal/write.ts";
import { ERASED, isOpen } from "../model/calls.ts";
import { horizonOf, isKeyed } from "../model/policy.ts";
import type { Act, Call, CallRef } from "../model/types.ts";
import { needsAttention } from "./search.ts";
import { callIdOf, taskOf, timeOf, whomOf, whyCall } from "./sentences.ts";

/** Why something that a person asked for was not done; nothing was changed. */
type Refusal = { code: RefusalCode; message: string };
export type RefusalCode = "not_found" | "not_retryable" | "key_forgotten" | "confirmation_needed" | "not_decided";

/** The call as it is now, or why not. */
export type Acted = { call: Call } | { refusal: Refusal };

export const NOT_FOUND: Refusal = {
  code: "not_found",
  message: "There is no call with this id; its webhook may have been purged. An id looks like wh_abc.0.",
};

const refuse = (code: RefusalCode, message: string): { refusal: Refusal } => ({ refusal: { code, message } });

const find = (sql: SqlStorage, { seq, index }: CallRef): { webhook: WebhookCalls; call: Call } | undefined => {
  const webhook = readCalls(sql, seq);
  const call = webhook?.calls[index];
  return webhook && call && { webhook, call };
};

/**
 * Lets a dead or parked call be tried again with its own key: what landed without our knowing is not done twice.
 * Two rows.
 */
export const retry = (sql: SqlStorage, ref: CallRef, now: number): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  const refusal = whyNotRetry(sql, webhook, ref, now);
  if (refusal) return { refusal };
  note(call, "retry", now);
  revive(call, now);
  // The host may be told again what it was told; only where it remembers the key does it matter since when.
  if (!isKeyed(call)) delete call.unknownSince;
  reopenCalls(sql, webhook);
  return { call };
};

/** Why a call is not to be tried again with its own key, or undefined. */
export const whyNotRetry = (sql: SqlStorage, webhook: WebhookCalls, ref: CallRef, now: number): Refusal | undefined => {
  const call = webhook.calls[ref.index];
  if (!call) return NOT_FOUND;
  if (call.state !== "dead" && call.state !== "parked") {
    const hint = call.state === "done" ? " To do it once more, use send-again." : "";
    return { code: "not_retryable", message: `Only a dead or parked call can be tried again: ${short(call)}.${hint}` };
  }
  const gone = whyNotAtAll(sql, webhook, ref, now);
  if (gone) return gone;
  if (isKeyed(call) && call.unknownSince !== undefined && now >= call.unknownSince + horizonOf(call)) {
    return {
      code: "key_forgotten",
      message: `The outcome of a try at ${timeOf(call.unknownSince)} is unknown, and the host forgets keys after 24 h: with the same key it could act a second time. Look there first; then only send-again, which makes a new key, can send it.`,
    };
  }
  return undefined;
};

/** What neither retry nor send again can change. */
const whyNotAtAll = (
  sql: SqlStorage,
  webhook: WebhookCalls,
  { seq, index }: CallRef,
  now: number,
): Refusal | undefined => {
  const call = webhook.calls[index] as Call;
  const not = (message: string): Refusal => ({ code: "not_retryable", message });
  // One rule makes one call of an action, so another one is the same mail.
  const twin = webhook.calls.findIndex(
    (other, place) => place !== index && isSame(call, other) && (isOpen(other) || other.state === "done"),
  );
  if (isKeyed(call) && twin >= 0) return not(`A replay has made it again: see ${callIdOf({ seq, index: twin })}.`);
  if (hasErased(call))
    return not(
      "What it would send was erased, so the host would get a mail without it. Have the provider send it again.",
    );
  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt)
    return not(`It expired at ${timeOf(call.expiresAt)}: a mail with a short life is not sent late.`);
  const known = call.action === "transactional" ? addressOf(sql, call.contact) : resolve(sql, call.contact);
  if (known === undefined)
    return not(
      `Still no webhook has told who ${whomOf(call)} is. It would be parked again; send one that tells first.`,
    );
  return undefined;
};

/** Calls of one webhook that do the same: one rule makes one call of an action. */
export const isSame = (a: Pick<Call, "rule" | "action">, b: Pick<Call, "rule" | "action">): boolean =>
  a.rule === b.rule && a.action === b.action;

/** True where one-time secrets or a forgotten person were taken out of what a call would send. */
export const hasErased = (call: object): boolean => {
  const { attempts: _attempts, message: _message, acts: _acts, ...content } = call as Partial<Call>;
  const text = JSON.stringify(content);
  return text.includes(ERASED) || text.includes(encodeURIComponent(ERASED));
};

/** Decides that a dead or parked call is not to be done. Two rows. */
export const discard = (sql: SqlStorage, ref: CallRef, now: number): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  if (call.state !== "dead" && call.state !== "parked")
    return refuse("not_decided", `Only a dead or parked call can be discarded: ${short(call)}.`);
  if (!needsAttention(call)) return { call };
  note(call, "discard", now);
  Object.assign(call, { state: "dead", message: "Discarded by a person.", settledAt: now });
  reopenCalls(sql, webhook);
  return { call };
};

/**
 * Sends a call again under a new key, although the host may have acted on it. Asks first.
 *
 * @param key the new key, at most 100 characters
 */
export const sendAgain = (sql: SqlStorage, ref: CallRef, confirmed: boolean, key: string, now: number): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, call } = found;
  if (call.state !== "done" && call.state !== "dead" && call.state !== "parked")
    return refuse("not_retryable", `Only what is done, dead or parked can be sent again: ${short(call)}.`);
  const gone = whyNotAtAll(sql, webhook, ref, now);
  if (gone) return { refusal: gone };
  if (!confirmed) return refuse("confirmation_needed", warningOf(call));
  note(call, "send again", now, call.key);
  revive(call, now);
  delete call.unknownSince;
  call.key = key;
  reopenCalls(sql, webhook);
  return { call };
};

/** Who would get what again, and what is known of the tries there were. */
const warningOf = (call: Call): string => {
  const tries = call.attempts.length === 1 ? "1 try" : `${call.attempts.length} tries`;
  const known =
    call.state === "done"
      ? "It is done already, so this is a second one for sure."
      : call.unknownSince !== undefined
        ? `The outcome of a try at ${timeOf(call.unknownSince)} is unknown, so it may be a second one.`
        : call.attempts.length === 0
          ? "It never left before."
          : "The host refused every try, so it would be the first.";
  return `${whomOf(call)} would get ${taskOf(call)} again, with a new key that the host takes for something new. ${tries} so far: ${whyCall(call, undefined)} ${known} To do it, send {"confirm": true}.`;
};

/** Notes what a person does, and what the call was until then. */
export const note = (call: Call, act: Act["act"], now: number, key?: string): void => {
  const { state, message } = call;
  const done: Act = { act, at: now, state };
  if (message !== undefined) done.message = message;
  if (key !== undefined) {
    done.key = key;
    if (call.unknownSince !== undefined) done.unknownSince = call.unknownSince;
  }
  call.acts = [...(call.acts ?? []), done];
};

const revive = (call: Call, now: number): void => {
  Object.assign(call, { state: "waiting", due: now });
  for (const gone of ["message", "settledAt", "refusals", "result", "sentWith"] as const) delete call[gone];
};

const short = (call: Call): string => `this one is ${isOpen(call) ? "waiting already" : call.state}`;
