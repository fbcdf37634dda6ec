import type { ForeignAnswers } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

/** Ms after the newest foreign answer for which they are shown. */
const SHOWN = 300_000;

export const isRecent = (known: ForeignAnswers | undefined, now: number): known is ForeignAnswers =>
  known !== undefined && now - known.at < SHOWN;

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
