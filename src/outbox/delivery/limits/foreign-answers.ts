import type { ForeignAnswers } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

/** Ms after the newest foreign answer for which they are shown. */
const SHOWN = 300_000;

export const isRecent = (known: ForeignAnswers | undefined, now: number): known is ForeignAnswers =>
  known !== undefined && now - known.at < SHOWN;

/** Foreign 429s to different calls in a row, without an answer of the host between them, that start a backoff. */
const MIN_LIMITED = 3;

/** The calls that got a foreign 429 since the last answer of the host itself. Timeouts and other foreign answers say nothing. */
export const limitedAfter = (limited: readonly string[], outcome: Outcome, call: string): readonly string[] => {
  if (outcome.kind !== "unknown") return [];
  const isLimit = outcome.foreign === true && outcome.status === 429;
  return !isLimit || limited.length >= MIN_LIMITED || limited.includes(call) ? limited : [...limited, call];
};

/** A foreign 429 counts as one of the host where so many calls got one: something limits all requests, not one name. */
export const limitedAll = (limited: readonly string[], outcome: Outcome): Outcome => {
  if (outcome.kind !== "unknown" || !outcome.foreign || outcome.status !== 429) return outcome;
  const { message, status, wait = 0 } = outcome;
  return limited.length < MIN_LIMITED ? outcome : { kind: "rate_limited", status, message, wait };
};

/** Counts a foreign answer. A firewall may answer some calls only, so an answer of the host itself does not end the count. */
export const withOutcome = (
  known: ForeignAnswers | undefined,
  outcome: Outcome,
  now: number,
): ForeignAnswers | undefined => {
  if (outcome.kind !== "unknown" || !outcome.foreign) return known;
  const { since, count } = isRecent(known, now) ? known : { since: now, count: 0 };
  return { since, at: now, count: count + 1, message: outcome.message };
};
