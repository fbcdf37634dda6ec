import { personOfContact } from "../identity/resolve.ts";
import { noteLate, noteLateOfForgotten } from "../identity/watermarks.ts";
import { readCalls, withSending } from "../journal/read.ts";
import { saveCalls } from "../journal/write.ts";
import { wasForgotten } from "../model/calls.ts";
import { readValue, saveValue } from "../model/kv.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call, CallRef } from "../model/types.ts";
import { keyOf } from "../queue/queue.ts";

/**
 * A claim is the durable note that a call is about to be sent: from `at` on, the host may have received it. The claims of
 * the next calls are written together in one row, before the first of them is sent. A claim found without an outcome
 * after a crash means that the outcome is unknown.
 */
type Claim = CallRef & { attempts: number /** Unix ms. */; at: number };

/** Ms for which a claim allows a call to be sent. */
const LIFETIME = 5_000;

/** Current claims, by the key of their call. */
export type Claims = ReadonlyMap<string, Claim>;

/** True when the next attempt of this call is claimed and the claim has not expired. */
export const isClaimed = (claims: Claims, call: CallRef & { attempts: number }, now: number): boolean => {
  const claim = claims.get(keyOf(call));
  return claim !== undefined && claim.attempts === call.attempts && now - claim.at <= LIFETIME && now >= claim.at;
};

/** Claims the next calls, and keeps the claims of calls in flight. One row. */
export const claim = (
  sql: SqlStorage,
  claims: Claims,
  inFlight: readonly CallRef[],
  next: readonly (CallRef & { attempts: number })[],
  at: number,
): Claims => {
  const kept = inFlight.flatMap((call) => claims.get(keyOf(call)) ?? []);
  const list = [...kept, ...next.map(({ seq, index, attempts }): Claim => ({ seq, index, attempts, at }))];
  const all = new Map(list.map((one) => [keyOf(one), one]));
  const rows = Array.from(all.values(), ({ seq, index, attempts, at: since }) => [seq, index, attempts, since]);
  saveValue(sql, "claims", rows);
  return all;
};

/**
 * To be called after a crash or eviction, before anything is sent. Marks the outcome of each claimed call without one as
 * unknown since its claim.
 *
 * @returns `claimedAt`: when the newest claim was made, Unix ms; `unanswered`: claimed calls that may be on their way still
 */
export const recover = (sql: SqlStorage, now: number): { claimedAt: number; unanswered: number } | undefined => {
  // An older version stored the state `sending` in the call instead of a claim.
  for (const webhook of withSending(sql).flatMap((seq) => readCalls(sql, seq) ?? [])) {
    for (const call of webhook.calls)
      if (call.state === "sending") markInterrupted(Object.assign(call, { state: "waiting" as const }));
    saveCalls(sql, webhook);
  }
  const claims = readValue<number[][]>(sql, "claims");
  if (!claims) return undefined;
  let unanswered = 0;
  for (const [seq = 0, index = 0, attempts = 0, at = 0] of claims) {
    const webhook = readCalls(sql, seq);
    const call = webhook?.calls[index];
    if (!webhook || !call || (call.tries ?? 0) !== attempts) continue;
    const isForgotten = wasForgotten(call);
    if (call.state !== "waiting" && !isForgotten) continue;
    call.attempts.push({ at });
    markInterrupted(call);
    saveCalls(sql, webhook);
    unanswered++;
    // The contact of a forgotten call is erased.
    const person = isForgotten ? undefined : personOfContact(sql, call.contact);
    if (isForgotten) noteLateOfForgotten(sql, at, now);
    else if (person !== undefined && !isKeyed(call)) noteLate(sql, person, { seq, index }, at, now);
  }
  saveValue(sql, "claims", undefined);
  return { claimedAt: Math.max(...claims.map(([, , , at = 0]) => at)), unanswered };
};

/** Marks the newest attempt of a call as one whose outcome will never be known. */
const markInterrupted = (call: Call): void => {
  const attempt = call.attempts.at(-1);
  if (attempt) {
    attempt.message ??= "The bridge was interrupted before it learned the outcome.";
    call.unknownSince ??= attempt.at;
  }
  call.tries = (call.tries ?? 0) + 1;
};
