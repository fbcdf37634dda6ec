import { MINUTE_MS } from "../../../lib/util/dates.ts";

/** Equal answers that may be a wave. Mailboxes that do not exist come singly. */
export const MIN_WAVE = 5;
const MAX_SHARE = 0.2;

/** A mail to the destination with a result at `at` (Unix ms). `isEqual`: it bounced with the same words. `isAlike`: with the same codes. */
export type Seen = { origin: string | null; at: number; isEqual: boolean; isAlike: boolean };

/**
 * Returns the mails of a wave, none if it is none: hard answers that tell more of the server than of its mailboxes. They
 * have equal codes in a row within a minute, or equal words above a fifth of the campaign's mails there. Reports of other
 * mail compare with all mail there.
 *
 * @param given `since`: of the oldest of the last equal answers
 */
export const mailsOfAWave = <S extends Seen>(
  seen: readonly S[],
  { campaign, isReport, since, now }: { campaign: string | null; isReport: boolean; since: number; now: number },
): S[] => {
  const isInRow = !isReport && now - since <= MINUTE_MS && seen.every(({ at, isAlike }) => isAlike || at < since);
  if (isInRow) return seen.filter(({ at, isEqual, isAlike }) => isEqual || (isAlike && at >= since));
  const isShare = (campaign !== null || isReport) && isLargeShare(seen, campaign);
  return isShare ? seen.filter(({ isEqual }) => isEqual) : [];
};

const isLargeShare = (seen: readonly Seen[], campaign: string | null): boolean => {
  const among = campaign === null ? seen : seen.filter(({ origin }) => origin === campaign);
  const equal = among.filter(({ isEqual }) => isEqual).length;
  return equal >= MIN_WAVE && equal > MAX_SHARE * among.length;
};
