import { type ConsentColumn, consentColumns, consentIn, readConsent, type SaidCell } from "./consent/consent.ts";
import { isNoByName } from "./consent/names.ts";
import type { Counted } from "./consent/tally.ts";
import { orderOf } from "./dates.ts";
import { isShared, type Mapping } from "./mapping.ts";

/**
 * Signs of a file: columns that say who gets no mail, a name that says so, and the order of dates in the columns that
 * need one.
 */
export type Signs = {
  consent: ConsentColumn[];
  fileSaysNo: boolean;
  dates: Record<string, "day-first" | "month-first" | "unclear">;
};

type File = { name: string; columns: readonly string[]; counted: Counted };

export const signsOf = ({ name, columns, counted }: File): Signs => ({
  consent: consentColumns(columns, counted),
  fileSaysNo: isNoByName(name),
  dates: Object.fromEntries(
    columns.flatMap((column, index) => {
      const tally = counted.columns[index];
      const order = tally && orderOf(tally);
      return order ? [[column, order]] : [];
    }),
  ),
});

/**
 * Cells of a column that a mapping turns round or would lose: it reads them as "yes", or not at all. A cell that refuses its row is not
 * lost. Blank cells stay unread where a person maps the column to `subscribed`.
 */
const lostCells = ({ to, doubtful, cells }: ConsentColumn, becomes: string | null): SaidCell[] => {
  const consent = becomes === null ? undefined : consentIn(becomes);
  if (!consent) return doubtful && becomes !== null ? [] : cells;
  const right = to === null ? undefined : consentIn(to);
  const isTurned = right && !right.words && !consent.words && right.asks !== consent.asks;
  if (isTurned) return cells;
  return cells.filter(({ cell, says }) => {
    if (says === "unknown") return false;
    if (cell === "") return consent.asks === "unsubscribed";
    const answer = readConsent(consent, cell);
    return answer === true || answer === "says nothing";
  });
};

/** True for a mapping that reads each cell of a column, and turns no answer round. */
export const readsConsent = (becomes: string | null | undefined, column: ConsentColumn): boolean =>
  becomes != null && consentIn(becomes) !== undefined && lostCells(column, becomes).length === 0;

/** Column with the cells by which people say "no", or words that are not known, and that a mapping would lose. */
export const lostColumns = (
  { consent }: Pick<Signs, "consent">,
  mapping: Mapping,
  ignored: readonly string[],
): (ConsentColumn & { lost: SaidCell[] })[] =>
  consent.flatMap((one) => {
    const lost = ignored.includes(one.column) ? [] : lostCells(one, mapping[one.column] ?? null);
    return lost.length > 0 ? [{ ...one, lost }] : [];
  });

const MAX_WORDS = 400;

/** Mapping to propose for a column: with unknown words beside those for "no", people with the former stay as they are. */
export const proposedFor = ({ to, cells }: Pick<ConsentColumn, "to" | "cells">): string | undefined => {
  if (to !== null) return to;
  const words = cells.filter(({ says }) => says === "no").map(({ cell }) => cell);
  const listed = `unsubscribed:${words.join("|")}`;
  const isExact = words.length > 0 && listed.length <= MAX_WORDS && cells.some(({ says }) => says === "unknown");
  return isExact ? listed : undefined;
};

/** True while only the name of a file says that its people get no mail. */
export const isLostByName = (
  { fileSaysNo }: Pick<Signs, "fileSaysNo">,
  name: string,
  mapping: Mapping,
  ignored: readonly string[],
): boolean =>
  fileSaysNo && !ignored.includes(name) && !Object.values(mapping).some((to) => to !== null && isShared(to));
