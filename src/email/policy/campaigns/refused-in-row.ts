import { OF_LAST, REFUSED } from "./hold-limits.ts";

/**
 * Permanent refusals that may concern all mails. `at`: accepted mails at each refusal, oldest first. `from`: accepted
 * mails at the last resume, and `since` its Unix ms. `words`: newest text without addresses. `again`: resent by hand.
 */
export type Refusals = { at: readonly number[]; from: number; since?: number; words: string; again?: true };

const DOUBT_FROM = 5;
const TIMES = 2;

const KEPT = TIMES * REFUSED;

/** With few open mails, a hold would protect few. */
const areFew = (open: number): boolean => open < REFUSED;

export const readRefusals = (json: string | null): Refusals | null =>
  json === null ? null : (JSON.parse(json) as Refusals);

/** Counts consecutive refusals. `taken` is the number of accepted mails. */
export const refusedInRow = (refusals: Refusals | null, taken: number): number =>
  refusals?.at.filter((at) => at === taken).length ?? 0;

/** Adds a refusal that may concern all mails. */
export const withRefusal = (refusals: Refusals | null, taken: number, words: string): Refusals => ({
  from: 0,
  ...refusals,
  words,
  at: [...(refusals?.at ?? []), taken].slice(-KEPT),
});

/** Returns the smallest window of recent mails with enough refusals for a hold. */
export const refusedOfLast = ({ at }: Refusals, taken: number): number | undefined => {
  const first = at.at(-REFUSED);
  return first === undefined ? undefined : REFUSED + taken - first;
};

const refusesTooMany = (refusals: Refusals, taken: number): boolean =>
  (refusedOfLast(refusals, taken) ?? Number.POSITIVE_INFINITY) <= OF_LAST;

/** True after more than `DOUBT_FROM` refusals: in a row, or as large a share of the mails as holds a campaign. */
const isDoubtful = (refusals: Refusals, taken: number): boolean => {
  const refused = refusals.at.length;
  const isLargeShare = refused * OF_LAST >= REFUSED * (refused + taken - refusals.from);
  return refusedInRow(refusals, taken) > DOUBT_FROM || (refused > DOUBT_FROM && isLargeShare);
};

/**
 * True if the refusal concerns one mail: it was refused before, and others are accepted. If many mails are `open` (no
 * result), none fails in doubt. The last few fail at the second refusal.
 */
export const isAboutMail = (
  refusals: Refusals,
  { taken, times, open }: { taken: number; times: number; open: number },
): boolean => {
  if (times < TIMES) return false;
  if (!areFew(open) && refusesTooMany(refusals, taken)) return false;
  if (refusals.again === true) return true;
  return taken > refusals.from && (areFew(open) || !isDoubtful(refusals, taken));
};

/**
 * True if the mail provider refuses the campaign: too many while many are `open`, or each mail twice without
 * acceptance.
 */
export const refusesAll = (refusals: Refusals | null, { taken, open }: { taken: number; open: number }): boolean => {
  if (refusals === null) return false;
  if (!areFew(open) && refusesTooMany(refusals, taken)) return true;
  const inRow = refusedInRow(refusals, taken);
  return refusals.again !== true && taken <= refusals.from && inRow > 0 && inRow >= TIMES * open;
};

/** Resets refusals at a resume. `again`: a finished campaign resends. */
export const countedAnew = (
  refusals: Refusals | null,
  { taken, now, again }: { taken: number; now: number; again: boolean },
): Refusals => ({
  at: [],
  from: taken,
  since: now,
  words: refusals?.words ?? "",
  ...(again ? { again } : {}),
});
