import { emailKey } from "../../../../lib/util/email-key.ts";

/** The upper bound of a text prefix range. */
export const LAST = "\u{10FFFF}";

/** Returns a stored address prefix. Whole domains become A-labels. */
export const addressBeginning = (q: string): string =>
  q.includes("@") ? emailKey(q) : q.normalize("NFC").toLowerCase();
