import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";

export type Count = Response<AdminContract["audience"]["estimate"]>;

/** Requests a count or the next part of an exact one. */
export type Ask = (fields: { exact?: true; cursor?: string }) => Promise<Count>;

/**
 * Estimates first, then counts exactly. `onCount` gets each answer; near misses and warnings come from the first.
 *
 * @param isStopped true if the page no longer waits
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
    const { nearMisses, sampled, warnings } = first;
    const more = await ask({ exact: true, ...(cursor === undefined ? {} : { cursor }) });
    count = { ...more, nearMisses, sampled, warnings };
    if (isStopped()) return undefined;
    onCount(count);
    cursor = count.next ?? undefined;
    // No exact count is possible; repeating would not help.
    if (cursor === undefined) break;
  }
  return count;
};

const numberText = (number: number): string => number.toLocaleString("en");

/** Formats "1,204 of 10,000 contacts", or an estimate with bounds. */
export const countText = ({ contacts, exact, low, high, total }: Count): string =>
  exact
    ? `${numberText(contacts)} of ${counted(total, "contact")}`
    : `about ${numberText(contacts)} of about ${counted(total, "contact")} (between ${numberText(low)} and ${numberText(high)})`;

/** Contacts added and removed. `both`: in the stored and the new filter. */
export const differenceOf = (now: Count, stored: Count, both: Count) => ({
  more: Math.max(0, now.contacts - both.contacts),
  fewer: Math.max(0, stored.contacts - both.contacts),
  exact: now.exact && stored.exact && both.exact,
});

/** Formats "+1,204 −87". */
export const differenceText = ({ more, fewer, exact }: ReturnType<typeof differenceOf>): string =>
  more === 0 && fewer === 0 && exact
    ? "The same contacts as before."
    : `${exact ? "" : "About "}+${numberText(more)} −${counted(fewer, "contact")}, compared with what is stored.`;
