import type { ForeignAnswers } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

/** Milliseconds. */
const SHOWN = 300_000;

export const isRecent = (known: ForeignAnswers | undefined, now: number): known is ForeignAnswers =>
  known !== undefined && now - known.at < SHOWN;

/** Different deliveries with a foreign 429 in a row that start a backoff. */
const MIN_LIMITED = 3;

/** Tracks deliveries with a foreign 429 since the email service last responded itself. */
export const limitedAfter = (limited: readonly string[], outcome: Outcome, delivery: string): readonly string[] => {
  if (outcome.kind !== "unknown") return [];
  const isLimit = outcome.foreign === true && outcome.status === 429;
  return !isLimit || limited.length >= MIN_LIMITED || limited.includes(delivery) ? limited : [...limited, delivery];
};

/** Treats a foreign 429 as the email service's own when enough deliveries got one. */
export const limitedAll = (limited: readonly string[], outcome: Outcome): Outcome => {
  if (outcome.kind !== "unknown" || !outcome.foreign || outcome.status !== 429) return outcome;
  const { message, status, wait = 0 } = outcome;
  return limited.length < MIN_LIMITED ? outcome : { kind: "rate_limited", status, message, wait };
};

/** Counts a foreign response. A firewall may block some deliveries only, so a real response changes nothing. */
export const withOutcome = (
  known: ForeignAnswers | undefined,
  outcome: Outcome,
  now: number,
): ForeignAnswers | undefined => {
  if (outcome.kind !== "unknown" || !outcome.foreign) return known;
  const { since, count } = isRecent(known, now) ? known : { since: now, count: 0 };
  return { since, at: now, count: count + 1, message: outcome.message };
};
