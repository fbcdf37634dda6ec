import { ERASED } from "../../lib/names/finder.ts";
import { fullJitter } from "../../lib/util/backoff.ts";
import { personOfContact } from "../identity/resolve.ts";
import { personOf } from "../identity/rows.ts";
import { current, merged, readKnown, stored } from "../identity/subscriptions.ts";
import { noteLate, saveWatermarks } from "../identity/watermarks.ts";
import { readCalls } from "../journal/read.ts";
import { saveCalls } from "../journal/write.ts";
import { isOpen, wasForgotten, webhookIdOf } from "../model/calls.ts";
import type { Outcome } from "../model/outcome.ts";
import { isKeyed } from "../model/policy.ts";
import { reasons } from "../model/reasons.ts";
import type { Attempt, Call, CallRef } from "../model/types.ts";
import type { QueueItem } from "../queue/queue.ts";
import type { HostRequest } from "./host-request.ts";
import { repeatOf } from "./repeat.ts";

export type Settled = CallRef & { source: string; call: Call };

export type Settlement = {
  outcome: Outcome;
  request: HostRequest;
  /** The first delivery is the one that was due. */
  calls: readonly Pick<QueueItem, "seq" | "index" | "person" | "contact">[];
  /** Due time of the person's last repeated delivery, Unix ms; 0 if none waits. */
  repeatsAt: number;
  /** Unix ms. */
  startedAt: number;
  /** Milliseconds until the response. */
  ms: number;
  /** Unix ms. */
  now: number;
  /** 0 ≤ random < 1, for the jitter. */
  random: number;
  /** Unix ms; set if the outcome interrupted delivery. */
  resumesAt: number;
};

const MAX_ATTEMPTS = 20;
/** Milliseconds, doubled with each refusal in a row. */
const YIELD = 100;
const MAX_YIELD = 300_000;

/**
 * Saves an attempt's outcome.
 *
 * @returns saved deliveries; `added`: repeats for later; `split`: true if joined deliveries must be sent alone
 */
export const settle = (
  sql: SqlStorage,
  settlement: Settlement,
): { settled: Settled[]; added: Settled[]; split: boolean } => {
  const { outcome, request, calls, now } = settlement;
  let split = false;
  let forgotten = false;
  const settled: Settled[] = [];
  const added: Settled[] = [];
  const lead = calls[0] && webhookIdOf(calls[0].seq);
  for (const [place, item] of calls.entries()) {
    const { seq, index } = item;
    if (place > 0 && outcome.kind !== "done") break;
    const webhook = readCalls(sql, seq);
    const call = webhook?.calls[index];
    if (!webhook || !call) continue;
    const { source } = webhook;
    if (call.state === "waiting") {
      // One bad update fails the whole joined request; the others may be good.
      split = calls.length > 1 && outcome.kind === "dead";
      const before = { ...call };
      record(call, settlement, split);
      if (place > 0 && lead !== undefined) call.sentWith = lead;
      const repeat = repeatOf(sql, item, before, call, settlement);
      if (repeat) added.push({ seq, index: webhook.calls.push(repeat) - 1, source, call: repeat });
      settled.push({ seq, index, source, call: saveCalls(sql, webhook)[index] ?? call });
    } else if (wasForgotten(call)) {
      forgotten ||= Object.values(call.contact).includes(ERASED);
      recordForgotten(call, settlement);
      settled.push({ seq, index, source, call: saveCalls(sql, webhook)[index] ?? call });
    } else {
      // An operator settled the delivery during the attempt: that decision stays.
      settled.push({ seq, index, source, call });
    }
  }
  if (outcome.kind === "unknown" && !request.asks) noteRequest(sql, settlement, settled[0]?.call);
  // An erased person gets no new watermarks.
  const isWhole = outcome.kind === "done" && !settled.some(({ call }) => isOpen(call));
  if (isWhole && request.person !== undefined && !forgotten) {
    // A link may have joined the person to another one meanwhile.
    const person = personOf(sql, request.person);
    const { watermarks, subscriptions } = readKnown(sql, person);
    const all = current(merged(subscriptions, request.subscriptions ?? {}), { ...watermarks, ...request.written });
    const hasSubscriptions = Object.keys({ ...subscriptions, ...request.subscriptions }).length > 0;
    saveWatermarks(sql, person, watermarks, request.written, now, hasSubscriptions ? stored(all) : undefined);
  }
  return { settled, added, split };
};

/** A key makes a late arrival harmless, unless the person was erased. */
const noteRequest = (sql: SqlStorage, { calls, startedAt, now }: Settlement, call: Call | undefined): void => {
  const last = calls.at(-1);
  if (!call || !last || (isKeyed(call) && !wasForgotten(call))) return;
  // Mail has no order per person.
  const person = last.person === undefined ? personOfContact(sql, last.contact) : personOf(sql, last.person);
  if (person !== undefined) noteLate(sql, person, last, startedAt, now);
};

/** The message is left out: it may name the person. */
const recordForgotten = (call: Call, { outcome, startedAt, ms, now }: Settlement): void => {
  call.tries = (call.tries ?? 0) + 1;
  const { status } = outcome;
  call.attempts.push({ at: startedAt, ms, ...(status === undefined ? {} : { status }) });
  if (outcome.kind === "unknown") call.unknownSince ??= startedAt;
  if (outcome.kind !== "done") return;
  Object.assign(call, { state: "done", settledAt: now });
  delete call.message;
};

const record = (call: Call, settlement: Settlement, split: boolean): void => {
  const { outcome, request, calls, startedAt, ms, now, random, resumesAt } = settlement;
  call.tries = (call.tries ?? 0) + 1;
  const attempt: Attempt = { at: startedAt, ms };
  if (outcome.status !== undefined) attempt.status = outcome.status;
  if (outcome.message !== undefined) attempt.message = outcome.message;
  if (outcome.message === undefined) delete call.message;
  else call.message = outcome.message;
  if (outcome.kind === "rate_limited" || outcome.kind === "key_refused") {
    // A 429 is no attempt. The delivery waits behind the others, but not after a block.
    const { count, since } = call.refusals ?? { count: 0, since: now };
    call.refusals = { count: count + 1, since };
    call.due = outcome.kind === "key_refused" ? now : resumesAt + Math.min(MAX_YIELD, YIELD * 2 ** Math.min(count, 20));
    return;
  }
  delete call.refusals;

  const isRepeated = refusedBefore(call) !== undefined;
  call.attempts = [...call.attempts.slice(0, 1), ...call.attempts.slice(1).slice(2 - MAX_ATTEMPTS), attempt];
  if (split) {
    attempt.message = `Refused together with ${calls.length - 1} more updates; each is sent alone now: ${outcome.message}`;
    call.due = now;
  } else if (outcome.kind === "dead" && outcome.conflict && request.both) {
    // A refused delivery never used its key, so the same key is sent again.
    call.only = "userId";
    call.due = now;
    attempt.message = `${outcome.message.replace(/\.?$/, ".")} ${reasons.sentAlone}`;
  } else if (outcome.kind === "dead" && outcome.keyAccepted && !isRepeated) {
    // A first refusal of the key may be temporary.
    attempt.wait = fullJitter(1, random);
    call.due = now + attempt.wait;
    attempt.message = `${outcome.message.replace(/\.?$/, ".")} ${reasons.keyAccepted}`;
  } else if (outcome.kind === "done" && goesOn(call, outcome, request, attempt)) {
    call.due = now;
  } else if (outcome.kind === "unknown") {
    call.unknownSince ??= startedAt;
    // Interrupted attempts have no `ms` and do not lengthen the wait.
    const jitter = fullJitter(call.attempts.filter((one) => one.ms !== undefined).length, random);
    attempt.wait = Math.max(jitter, outcome.wait ?? 0);
    call.due = now + attempt.wait;
  } else {
    if (outcome.kind === "done" && outcome.result !== undefined) call.result = outcome.result;
    if (outcome.kind === "done" && showsOther(request, call)) call.message = `${reasons.showsOther} ${request.shows}.`;
    call.state = outcome.kind === "done" ? "done" : "dead";
    call.settledAt = now;
  }
};

/** Returns the attempt refused with 401 or 403 although the key is accepted. */
export const refusedBefore = ({ attempts }: Pick<Call, "attempts">): Attempt | undefined =>
  attempts.find(({ message }) => message?.endsWith(reasons.keyAccepted));

const goesOn = (call: Call, outcome: Outcome & { kind: "done" }, { next }: HostRequest, attempt: Attempt): boolean => {
  const note = next?.(call, outcome.found?.[0]);
  if (note !== undefined) attempt.message = note;
  return note !== undefined;
};

const showsOther = ({ shows }: HostRequest, call: Call): boolean =>
  call.action === "contact" && call.subscription !== undefined && shows !== undefined && shows !== call.subscription.id;
