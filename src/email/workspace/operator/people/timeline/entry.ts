import type { TimelineKind } from "../../../../../lib/contract/admin/email/people/contacts.ts";

/** Something that happened to a contact. `at`: Unix ms. `key`: orders entries of the same ms. `why`: the state of a send in words. */
export type Entry = {
  at: number;
  key: string;
  kind: TimelineKind;
  text: string;
  why?: string;
  ids: Record<string, string>;
};

/** Entries of one source. `from`: Unix ms; earlier entries of this source are not all there. */
export type Entries = { entries: Entry[]; from: number };

/** Sorts a number as text. */
export const padded = (n: number): string => String(n).padStart(17, "0");
