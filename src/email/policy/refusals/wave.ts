import { MINUTE_MS } from "../../../lib/util/dates.ts";

/** Equal answers that may be a wave. Mailboxes that do not exist come singly. */
export const MIN_WAVE = 5;
const MAX_SHARE = 0.2;

/** A mail to the destination with a result at `at` (Unix ms). `isEqual`: it bounced with the same words. */
export type Seen = { origin: string | null; at: number; isEqual: boolean };

/**
 * True if equal hard answers of a destination tell more of the server than of its mailboxes: in a row within a minute,
 * or above a fifth of the campaign's mails there. Reports of other mail compare with all mail there.
 *
 * @param given `since`: of the oldest of the last equal answers
 */
export const isWave = (
  seen: readonly Seen[],
  { campaign, isReport, since, now }: { campaign: string | null; isReport: boolean; since: number; now: number },
): boolean => {
  const isInRow = !isReport && now - since <= MINUTE_MS && seen.every(({ at, isEqual }) => isEqual || at < since);
  return isInRow || ((campaign !== null || isReport) && isLargeShare(seen, campaign));
};

const isLargeShare = (seen: readonly Seen[], campaign: string | null): boolean => {
  const among = campaign === null ? seen : seen.filter(({ origin }) => origin === campaign);
  const equal = among.filter(({ isEqual }) => isEqual).length;
  return equal >= MIN_WAVE && equal > MAX_SHARE * among.length;
};
