import type { TimelineKind } from "../../../../../lib/contract/admin/email/people/contacts.ts";

/** `at`: Unix ms. `key`: order within a ms. `why`: send state in words. */
export type Entry = {
  at: number;
  key: string;
  kind: TimelineKind;
  text: string;
  why?: string;
  ids: Record<string, string>;
};

export type Entries = { entries: Entry[]; from: number };

/** Pads a number for text order. */
export const padded = (n: number): string => String(n).padStart(17, "0");
