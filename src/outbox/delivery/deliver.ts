import { fullJitter } from "../../lib/util/backoff.ts";
import { resolve } from "../identity/links.ts";
import { personOf } from "../identity/rows.ts";
import { readWatermarks, saveWatermarks } from "../identity/watermarks.ts";
import { readCalls } from "../journal/read.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import { saveCalls } from "../journal/write.ts";
import { acceptedAt, ERASED, idOf } from "../model/calls.ts";
import type { DeliveryConfig } from "../model/config.ts";
import type { Outcome } from "../model/outcome.ts";
import { horizonOf, IDENTITY_WAIT, isKeyed } from "../model/policy.ts";
import type { Attempt, Call, CallRef } from "../model/types.ts";
import { type Downtime, downtimeBetween } from "./limits/downtime.ts";
import { addToUpdate, type OutboxRequest, requestOf, startUpdate, updateRequest, type Verdict } from "./request.ts";

/** A call as it is kept now, and where. */
export type Settled = CallRef & { call: Call };

/** What a waiting call comes to when its turn has come. */
export type Turn =
  /** It leaves, `with` others behind it; those of them that came to nothing are decided already. */
  | { kind: "go"; call: Call; request: OutboxRequest; with: readonly CallRef[]; decided: readonly Settled[] }
  | { kind: "decided"; call: Call }
  /** It waits for its person, until then (Unix ms). */
  | { kind: "wait"; call: Call; until: number };

/** Attempts kept per call: the first and the newest ones tell the story. */
const MAX_ATTEMPTS_KEPT = 20;

/**
 * Decides what a waiting call comes to now. Writes a row only where it is decided without a request (expired,
 * superseded, no such template, nobody to send to): the claim that lets it leave is durable already.
 *
 * @param behind updates of the same person right behind it, which may leave with it
 */
export const turn = (
  sql: SqlStorage,
  config: DeliveryConfig,
  { seq, index }: CallRef,
  now: number,
  downtime: Downtime,
  behind: readonly CallRef[],
): Turn | undefined => {
  const webhook = readCalls(sql, seq);
  const call = webhook?.calls[index];
  if (!webhook || call?.state !== "waiting") return undefined;
  const decided = (verdict: Verdict): Turn => ({ kind: "decided", call: decideNow(sql, webhook, index, verdict, now) });

  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt) {
    const known =
      call.unknownSince === undefined ? "" : " The outcome of an earlier try is unknown: it may have been sent.";
    return decided({ state: "dead", message: `expired: the mail would have come too late to be of use.${known}` });
  }
  if (call.unknownSince !== undefined && now >= call.unknownSince + horizonOf(call) + pausedFor(call, downtime, now)) {
    return decided({
      state: "parked",
      message:
        "The host may or may not have acted on it, and its memory of the key ends soon. Ask the host, then retry or discard.",
    });
  }
  const request = requestOf(sql, config, webhook, call);
  if ("wait" in request) {
    const accepted = acceptedAt(seq);
    const until = accepted + IDENTITY_WAIT + downtimeBetween(downtime, accepted, now);
    return now >= until
      ? decided({ state: "parked", message: [request.wait, call.asked].filter(Boolean).join(" ") })
      : { kind: "wait", call, until };
  }
  if ("state" in request) return decided(request);
  return call.action === "contact" && behind.length > 0
    ? join(sql, config, webhook, call, behind, now)
    : { kind: "go", call, request, with: [], decided: [] };
};

/** Where an outcome is unknown, a clock stands still with delivery, but not that of the host: it forgets keys anyway. */
const pausedFor = (call: Call, downtime: Downtime, now: number): number =>
  isKeyed(call) ? 0 : downtimeBetween(downtime, call.unknownSince ?? now, now);

const decideNow = (sql: SqlStorage, webhook: WebhookCalls, index: number, verdict: Verdict, now: number): Call => {
  const call = webhook.calls[index] as Call;
  Object.assign(call, verdict, { settledAt: now });
  return saveCalls(sql, webhook)[index] ?? call;
};

/** Puts updates of one person, with the same identifiers, into one request: as if each had been sent after the other. */
const join = (
  sql: SqlStorage,
  config: DeliveryConfig,
  webhook: WebhookCalls,
  call: Call & { action: "contact" },
  behind: readonly CallRef[],
  now: number,
): Turn => {
  const contact = resolve(sql, call.contact) ?? {};
  const update = startUpdate(sql, contact);
  addToUpdate(update, config, webhook, call);
  const joined: CallRef[] = [];
  const decided: Settled[] = [];
  for (const { seq, index } of behind) {
    const next = readCalls(sql, seq);
    const other = next?.calls[index];
    if (!next || other?.state !== "waiting" || other.action !== "contact") break;
    const whom = resolve(sql, other.contact);
    if (whom?.email !== contact.email || whom?.userId !== contact.userId) break;
    const landed = addToUpdate({ ...update, landing: {}, properties: {}, mailingLists: {} }, config, next, other);
    if (landed?.state === "superseded") {
      decided.push({ seq, index, call: decideNow(sql, next, index, landed, now) });
      continue;
    }
    // Overtaken by what is in this request only, or bad: that one's turn comes when it is known what became of this.
    if (addToUpdate(update, config, next, other)) break;
    joined.push({ seq, index });
  }
  return { kind: "go", call, request: updateRequest(update, config), with: joined, decided };
};

/** A try that has come to an outcome. */
export type Settlement = {
  outcome: Outcome;
  request: OutboxRequest;
  /** Calls that left together, the one whose turn it was first. */
  calls: readonly CallRef[];
  /** When it left, Unix ms. */
  startedAt: number;
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
const STEP_BACK = { rate_limited: 100, key_refused: 5_000 };
const LONGEST_STEP_BACK = 300_000;

/**
 * Records what a try came to: one row for each call that is settled by it, and one more for the person when an update
 * landed. Where it was refused, the first call alone tells of it: the others are as they were.
 *
 * @returns the calls as they are kept now, and whether what was refused together is to go alone
 */
export const settle = (sql: SqlStorage, settlement: Settlement): { settled: Settled[]; split: boolean } => {
  const { outcome, request, calls, now } = settlement;
  let split = false;
  let forgotten = false;
  const settled: Settled[] = [];
  const lead = calls[0] && idOf(calls[0].seq);
  for (const [place, { seq, index }] of calls.entries()) {
    if (place > 0 && outcome.kind !== "done") break;
    const webhook = readCalls(sql, seq);
    const call = webhook?.calls[index];
    // Decided meanwhile by a person: that decision stands. Of one that was forgotten it is noted what became of it.
    if (!webhook || !call) continue;
    if (call.state === "waiting") {
      // Of updates that were refused together, the others may be good.
      split = calls.length > 1 && isRefused(call, settlement);
      record(call, settlement, split);
      if (place > 0 && lead !== undefined) call.sentWith = lead;
      settled.push({ seq, index, call: saveCalls(sql, webhook)[index] ?? call });
    } else if (wasForgotten(call)) {
      forgotten ||= Object.values(call.contact).includes(ERASED);
      recordForgotten(call, settlement);
      settled.push({ seq, index, call: saveCalls(sql, webhook)[index] ?? call });
    } else settled.push({ seq, index, call });
  }
  // What was written of a forgotten person is not remembered again.
  if (outcome.kind === "done" && request.person !== undefined && !forgotten) {
    // Whose the value was when it was sent; that person may have become part of another one since.
    const person = personOf(sql, request.person);
    saveWatermarks(sql, person, readWatermarks(sql, person), request.landing, now);
  }
  return { settled, split };
};

/** True where the host refused the call itself for good: by a 403 too, once it was seen that the key is good for others. */
const isRefused = ({ refusals }: Call, { outcome, acceptedAt }: Settlement): boolean =>
  outcome.kind === "dead" || (outcome.status === 403 && refusals !== undefined && acceptedAt > refusals.since);

const wasForgotten = ({ state, acts }: Call): boolean => state === "dead" && acts?.at(-1)?.act === "forget";

/** What became of a try that was under way when its person was forgotten, without a word of the host: it may name whom. */
const recordForgotten = (call: Call, { outcome, startedAt, now }: Settlement): void => {
  call.tries = (call.tries ?? 0) + 1;
  const { status } = outcome;
  call.attempts.push({ at: startedAt, ms: now - startedAt, ...(status === undefined ? {} : { status }) });
  if (outcome.kind === "unknown") call.unknownSince ??= startedAt;
  if (outcome.kind !== "done") return;
  Object.assign(call, { state: "done", settledAt: now });
  delete call.message;
};

const record = (call: Call, settlement: Settlement, split: boolean): void => {
  const { outcome, calls, startedAt, now, random, resumesAt } = settlement;
  call.tries = (call.tries ?? 0) + 1;
  const attempt: Attempt = { at: startedAt, ms: now - startedAt };
  if (outcome.status !== undefined) attempt.status = outcome.status;
  if (outcome.message !== undefined) attempt.message = outcome.message;
  if (outcome.message === undefined) delete call.message;
  else call.message = outcome.message;
  const isAboutTeam = outcome.kind === "rate_limited" || outcome.kind === "key_refused";
  if (isAboutTeam && !isRefused(call, settlement)) {
    // It is no try, and the call waits behind the others.
    const { count, since } = call.refusals ?? { count: 0, since: now };
    call.refusals = { count: count + 1, since };
    call.due = resumesAt + Math.min(LONGEST_STEP_BACK, STEP_BACK[outcome.kind] * 2 ** Math.min(count, 20));
    return;
  }
  // Alone it is asked once more, and the same answer is the last then.
  if (!(isAboutTeam && split)) delete call.refusals;

  call.attempts = [...call.attempts.slice(0, 1), ...call.attempts.slice(1).slice(2 - MAX_ATTEMPTS_KEPT), attempt];
  if (split) {
    attempt.message = `Refused together with ${calls.length - 1} more updates, so each goes alone: ${outcome.message}`;
    call.due = now;
  } else if (outcome.kind === "unknown") {
    call.unknownSince ??= startedAt;
    // Tries that were cut off here say nothing of the host.
    attempt.wait = fullJitter(call.attempts.filter(({ ms }) => ms !== undefined).length, random);
    call.due = now + attempt.wait;
  } else {
    if (outcome.kind === "done" && outcome.result !== undefined) call.result = outcome.result;
    call.state = outcome.kind === "done" ? "done" : "dead";
    call.settledAt = now;
  }
};
