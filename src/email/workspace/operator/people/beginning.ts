import { emailKey } from "../../../../lib/util/email-key.ts";

/** Follows every text that begins with the text before it. */
export const LAST = "\u{10FFFF}";

/** The beginning of an address as it is stored. A whole domain is stored as A-labels. */
export const addressBeginning = (q: string): string =>
  q.includes("@") ? emailKey(q) : q.normalize("NFC").toLowerCase();
