import { OF_LAST, REFUSED } from "./refused-share.ts";

/**
 * Refusals for good of a campaign's mails that may be about all of them: for their content, their sender or a policy of the relay. Kept as
 * JSON in the row of the campaign. `at`: for each of the last refusals, oldest first, how many mails the relay had taken by then; also of
 * mails that have failed with it. `from`: mails that it had taken when a person had the campaign go on last; 0 before that. `words`: of the
 * newest, without addresses. `again`: the campaign was done, and sends mails again by hand.
 */
export type Refusals = { at: readonly number[]; from: number; words: string; again?: true };

/** From so many refusals in a row on, another one may be about all mails. */
const DOUBT_FROM = 5;
/** A refusal says something about a mail when the mail was refused so often. */
const TIMES = 2;

/** So many are kept: for so many of each mail where few are left. */
const KEPT = TIMES * REFUSED;

/** Fewer mails without a result than refusals that hold a campaign: nothing more can be learned of the relay, and a hold would protect few. */
const areFew = (open: number): boolean => open < REFUSED;

/** As version 16 wrote it first. */
type Earlier = Omit<Refusals, "at"> & { inRow: number; taken: number };

/** Reads what is kept in the row of a campaign. */
export const readRefusals = (json: string | null): Refusals | null => {
  if (json === null) return null;
  const kept = JSON.parse(json) as Refusals | Earlier;
  if ("at" in kept) return kept;
  const { inRow, taken, from, words } = kept;
  return { at: Array(Math.min(inRow, REFUSED)).fill(taken), from, words };
};

/** Refusals in a row until now. `taken`: mails of the campaign that the relay has taken. */
export const refusedInRow = (refusals: Refusals | null, taken: number): number =>
  refusals?.at.filter((at) => at === taken).length ?? 0;

/** With one more refusal, which may be about all mails. */
export const withRefusal = (refusals: Refusals | null, taken: number, words: string): Refusals => ({
  from: 0,
  ...refusals,
  words,
  at: [...(refusals?.at ?? []), taken].slice(-KEPT),
});

/** The fewest last mails of which the relay has refused so many that a campaign is held; undefined where it has not refused so many. */
export const refusedOfLast = ({ at }: Refusals, taken: number): number | undefined => {
  const first = at.at(-REFUSED);
  return first === undefined ? undefined : REFUSED + taken - first;
};

const refusesTooMany = (refusals: Refusals, taken: number): boolean =>
  (refusedOfLast(refusals, taken) ?? Number.POSITIVE_INFINITY) <= OF_LAST;

/**
 * True when the newest of the refusals is about its mail: the mail was refused before, and the relay takes others. While `open` mails (those
 * without a result, this one included) are many, a mail fails neither after a row of `DOUBT_FROM` nor where the relay refuses too many. The
 * last few fail with their second refusal. So where the five failures of a row leave few, the others of that row fail too: `DOUBT_FROM` and
 * `REFUSED` - 1 mails at most. A mail that a person had sent again after its campaign was done has no others to compare it with.
 * `times`: how often this mail was refused, this time included.
 */
export const isAboutMail = (
  refusals: Refusals,
  { taken, times, open }: { taken: number; times: number; open: number },
): boolean => {
  if (times < TIMES) return false;
  if (!areFew(open) && refusesTooMany(refusals, taken)) return false;
  if (refusals.again === true) return true;
  return taken > refusals.from && (areFew(open) || refusedInRow(refusals, taken) <= DOUBT_FROM);
};

/**
 * True when the relay refuses what it gets of a campaign: too many while many are `open` (without a result); or, where it has taken none
 * since the start or the resume, each of them twice.
 */
export const refusesAll = (refusals: Refusals | null, { taken, open }: { taken: number; open: number }): boolean => {
  if (refusals === null) return false;
  if (!areFew(open) && refusesTooMany(refusals, taken)) return true;
  const inRow = refusedInRow(refusals, taken);
  return refusals.again !== true && taken <= refusals.from && inRow > 0 && inRow >= TIMES * open;
};

/** A person has the campaign go on: nothing is known of the relay until it takes a mail. `again`: it was done, and sends mails again. */
export const countedAnew = (refusals: Refusals | null, taken: number, again: boolean): Refusals => ({
  at: [],
  from: taken,
  words: refusals?.words ?? "",
  ...(again ? { again } : {}),
});
