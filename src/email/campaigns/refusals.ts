/**
 * Refusals for good of a campaign's mails that may be about all of them: for their content, their sender or a policy of the relay. Kept as
 * JSON in the row of the campaign. `inRow`: those since the relay took a mail. `taken`: mails that it had taken by the newest of them.
 * `from`: mails that it had taken when a person resumed the campaign last; 0 before that. `words`: of the newest, without addresses.
 */
export type Refusals = { inRow: number; taken: number; from: number; words: string };

/** Refusals in a row after which a campaign is held. */
const MOST_IN_ROW = 20;
/** From so many refusals in a row on, another one may be about all mails. */
const DOUBT_FROM = 5;
/** A refusal says something about a mail when the mail was refused so often. */
const TIMES = 2;

/** Refusals in a row until now. `taken`: mails of the campaign that the relay has taken. */
export const refusedInRow = (refusals: Refusals | null, taken: number): number =>
  refusals !== null && refusals.taken === taken ? refusals.inRow : 0;

/** With one more refusal, which may be about all mails. */
export const withRefusal = (refusals: Refusals | null, taken: number, words: string): Refusals => ({
  ...{ inRow: refusedInRow(refusals, taken) + 1, taken },
  ...{ from: refusals?.from ?? 0, words },
});

type Refused = { refusals: Refusals | null; taken: number; times: number };

/**
 * True when a refusal is about its mail: the mail was refused before, and the relay takes others. It does not count as one in a row: the
 * last mails of a campaign may all be of this kind. `times`: how often this mail was refused, this time included.
 */
export const isAboutMail = ({ refusals, taken, times }: Refused): boolean =>
  times >= TIMES && taken > (refusals?.from ?? 0) && refusedInRow(refusals, taken) < DOUBT_FROM;

/**
 * True when the relay refuses whatever it gets of a campaign. Of a campaign with few recipients it is enough that each `open` mail (those
 * without a result) was refused twice, and none was taken.
 */
export const refusesAll = (refusals: Refusals | null, { taken, open }: { taken: number; open: number }): boolean => {
  const inRow = refusedInRow(refusals, taken);
  const tookNone = taken === (refusals?.from ?? 0);
  return inRow >= MOST_IN_ROW || (inRow > 0 && tookNone && inRow >= TIMES * open);
};

/** A person has resumed the campaign: nothing is known of the relay until it takes a mail. */
export const resumedAfter = (refusals: Refusals, taken: number): Refusals => ({
  ...refusals,
  ...{ inRow: 0, taken, from: taken },
});
