import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { counted } from "../../parts/ledger/words.ts";

export type Count = Response<AdminContract["audience"]["estimate"]>;

/** Asks for a count, or for the next part of an exact one. */
export type Ask = (fields: { exact?: true; cursor?: string }) => Promise<Count>;

/**
 * Counts: first by an estimate, then exactly, part by part. `onCount` is told each answer; the near misses of the first one stay.
 *
 * @param isStopped true when the page does not wait for it any more
 */
export const countOn = async (
  ask: Ask,
  onCount: (count: Count) => void,
  isStopped: () => boolean,
): Promise<Count | undefined> => {
  const first = await ask({});
  if (isStopped()) return undefined;
  onCount(first);
  let count = first;
  let cursor: string | undefined;
  while (!count.exact) {
    const { nearMisses, sampled } = first;
    count = { ...(await ask({ exact: true, ...(cursor === undefined ? {} : { cursor }) })), nearMisses, sampled };
    if (isStopped()) return undefined;
    onCount(count);
    cursor = count.next ?? undefined;
    // Nothing is left to count, and the answer is no exact one: it would be the same again.
    if (cursor === undefined) break;
  }
  return count;
};

const numberText = (number: number): string => number.toLocaleString("en");

/** A count in words: "1,204 of 10,000 contacts", or about so many with the bounds. */
export const countText = ({ contacts, exact, low, high, total }: Count): string =>
  exact
    ? `${numberText(contacts)} of ${counted(total, "contact")}`
    : `about ${numberText(contacts)} of about ${counted(total, "contact")} (between ${numberText(low)} and ${numberText(high)})`;

/** What a change does: how many come in and how many drop out. `both`: those that meet the stored and the new filter. */
export const differenceOf = (now: Count, stored: Count, both: Count) => ({
  more: Math.max(0, now.contacts - both.contacts),
  fewer: Math.max(0, stored.contacts - both.contacts),
  exact: now.exact && stored.exact && both.exact,
});

/** The same in words: "+1,204 −87". */
export const differenceText = ({ more, fewer, exact }: ReturnType<typeof differenceOf>): string =>
  more === 0 && fewer === 0 && exact
    ? "The same contacts as before."
    : `${exact ? "" : "About "}+${numberText(more)} −${counted(fewer, "contact")}, compared with what is stored.`;
