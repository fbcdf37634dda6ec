import { type ConsentColumn, type Counted, consentColumns, consentIn, isNoByName } from "./consent.ts";
import { orderOf } from "./dates.ts";
import { isShared, LIST_PREFIX, type Mapping } from "./mapping.ts";

/**
 * Signs of a file: columns that say who gets no mail, a name that says so, and the order of dates in the columns that
 * need one.
 */
export type Signs = {
  consent: ConsentColumn[];
  fileSaysNo: boolean;
  dates: Record<string, "day-first" | "month-first" | "unclear">;
};

type File = {
  name: string;
  columns: readonly string[];
  preview: readonly (readonly string[])[];
  counted: Counted | undefined;
};

export const signsOf = ({ name, columns, preview, counted }: File): Signs => ({
  consent: consentColumns(columns, preview, counted),
  fileSaysNo: isNoByName(name),
  dates: Object.fromEntries(
    columns.flatMap((column, index) => {
      const tally = counted?.columns[index];
      const order = tally && orderOf(tally);
      return order ? [[column, order]] : [];
    }),
  ),
});

/** True for a mapping that reads who gets mail, and does not turn the answer round. `to`: the right mapping. */
export const readsConsent = (becomes: string | null | undefined, to: string | null): boolean => {
  if (becomes == null) return false;
  const [given, right] = [consentIn(becomes), to === null ? undefined : consentIn(to)];
  const asks = given?.asks ?? (becomes.startsWith(LIST_PREFIX) ? "subscribed" : undefined);
  return (
    asks !== undefined && (given?.words !== undefined || !right || right.asks === asks || right.words !== undefined)
  );
};

/** Columns by which people say "no" that a mapping would lose. A state that a product may have is kept by a property. */
export const lostColumns = (
  { consent }: Pick<Signs, "consent">,
  mapping: Mapping,
  ignored: readonly string[],
): ConsentColumn[] =>
  consent.filter(({ column, to, says }) => {
    const becomes = mapping[column] ?? null;
    const isKept = readsConsent(becomes, to) || (to === null && becomes !== null);
    return says > 0 && !isKept && !ignored.includes(column);
  });

/** True while only the name of a file says that its people get no mail. */
export const isLostByName = (
  { fileSaysNo }: Pick<Signs, "fileSaysNo">,
  name: string,
  mapping: Mapping,
  ignored: readonly string[],
): boolean =>
  fileSaysNo && !ignored.includes(name) && !Object.values(mapping).some((to) => to !== null && isShared(to));
