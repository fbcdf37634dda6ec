import { readCalls, withSending } from "../journal/read.ts";
import { saveCalls } from "../journal/write.ts";
import { readValue, saveValue } from "../model/kv.ts";
import type { Call, CallRef } from "../model/types.ts";
import { keyOf } from "../queue/queue.ts";

/**
 * A claim: from `at` on the call may be on its way to the host. Claims of the calls that start next are written in one
 * row together, before the first of them leaves; whoever finds a claim without its outcome knows that nobody knows.
 */
type Claim = CallRef & { tries: number /** Unix ms. */; at: number };

/** Ms for which a claim lets a call leave. */
const LIFE = 5_000;

/** Claims in force, by the key of their call. */
export type Claims = ReadonlyMap<string, Claim>;

export const isClaimed = (claims: Claims, call: CallRef & { tries: number }, now: number): boolean => {
  const claim = claims.get(keyOf(call));
  return claim !== undefined && claim.tries === call.tries && now - claim.at <= LIFE && now >= claim.at;
};

/** Claims the calls that start next, in one row with those of the calls that are under way. */
export const claim = (
  sql: SqlStorage,
  claims: Claims,
  inFlight: readonly CallRef[],
  next: readonly (CallRef & { tries: number })[],
  at: number,
): Claims => {
  const kept = inFlight.flatMap((call) => claims.get(keyOf(call)) ?? []);
  const list = [...kept, ...next.map(({ seq, index, tries }): Claim => ({ seq, index, tries, at }))];
  const all = new Map(list.map((one) => [keyOf(one), one]));
  saveValue(
    sql,
    "claims",
    Array.from(all.values(), ({ seq, index, tries, at: since }) => [seq, index, tries, since]),
  );
  return all;
};

/**
 * After a crash or an eviction: calls that may have been on their way. Their outcome is unknown since the claim, and
 * that is written down before anything else starts.
 *
 * @returns when the newest claim was made, Unix ms
 */
export const recover = (sql: SqlStorage): number | undefined => {
  // Before there were claims, a call's own row said that it was under way.
  for (const webhook of withSending(sql).flatMap((seq) => readCalls(sql, seq) ?? [])) {
    for (const call of webhook.calls) if (call.state === "sending") cutOff(call);
    saveCalls(sql, webhook);
  }
  const claims = readValue<number[][]>(sql, "claims");
  if (!claims) return undefined;
  for (const [seq = 0, index = 0, tries = 0, at = 0] of claims) {
    const webhook = readCalls(sql, seq);
    const call = webhook?.calls[index];
    if (!webhook || call?.state !== "waiting" || (call.tries ?? 0) !== tries) continue;
    call.attempts.push({ at });
    cutOff(call);
    saveCalls(sql, webhook);
  }
  saveValue(sql, "claims", undefined);
  return Math.max(...claims.map(([, , , at = 0]) => at));
};

/** Notes of the newest try that its outcome will never be learned. */
const cutOff = (call: Call): void => {
  const attempt = call.attempts.at(-1);
  if (attempt) {
    attempt.message ??= "The bridge was interrupted before it learned the outcome.";
    call.unknownSince ??= attempt.at;
  }
  call.tries = (call.tries ?? 0) + 1;
  call.state = "waiting";
};
