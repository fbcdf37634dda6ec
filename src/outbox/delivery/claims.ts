import { personOfContact } from "../identity/resolve.ts";
import { noteLate, noteLateOfForgotten } from "../identity/watermarks.ts";
import { readCalls } from "../journal/read.ts";
import { saveCalls } from "../journal/write.ts";
import { wasForgotten } from "../model/calls.ts";
import { readValue, saveValue } from "../model/kv.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call, CallRef } from "../model/types.ts";
import { keyOf } from "../queue/queue.ts";

/**
 * A durable note that a delivery is about to be sent; from `at` on, it may have arrived. After a crash, a claim
 * without an outcome means unknown.
 */
type Claim = CallRef & { attempts: number /** Unix ms. */; at: number };

/** Ms. */
const LIFETIME = 5_000;

export type Claims = ReadonlyMap<string, Claim>;

export const isClaimed = (claims: Claims, call: CallRef & { attempts: number }, now: number): boolean => {
  const claim = claims.get(keyOf(call));
  return claim !== undefined && claim.attempts === call.attempts && now - claim.at <= LIFETIME && now >= claim.at;
};

/** Claims the next deliveries in one row, and keeps claims in flight. */
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
 * Marks claimed deliveries as unknown after a crash, before anything is sent.
 *
 * @returns `claimedAt`: newest claim, Unix ms; `unanswered`: possibly still in flight
 */
export const recover = (sql: SqlStorage, now: number): { claimedAt: number; unanswered: number } | undefined => {
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
    const person = isForgotten ? undefined : personOfContact(sql, call.contact);
    if (isForgotten) noteLateOfForgotten(sql, at, now);
    else if (person !== undefined && !isKeyed(call)) noteLate(sql, person, { seq, index }, at, now);
  }
  saveValue(sql, "claims", undefined);
  return { claimedAt: Math.max(...claims.map(([, , , at = 0]) => at)), unanswered };
};

const markInterrupted = (call: Call): void => {
  const attempt = call.attempts.at(-1);
  if (attempt) {
    attempt.message ??= "The bridge was interrupted before it learned the outcome.";
    call.unknownSince ??= attempt.at;
  }
  call.tries = (call.tries ?? 0) + 1;
};
