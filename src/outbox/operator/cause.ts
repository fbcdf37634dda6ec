import type { Delivery } from "../model/journal-types.ts";

const LENGTH = 300;

/** Matches addresses, and words with a digit: ids, numbers and times. The version of a path stays ("/v1/lists"). */
const NAMES = /(?<=\/)(v\d+)(?![\w-])|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]*\d[\w-]*(?:[.:][\w-]*\d[\w-]*)*/g;

/** Returns a reason without addresses, ids and numbers, so equal causes match. */
export const causeOf = ({ message, state }: Pick<Delivery, "message" | "state">): string =>
  (message || state)
    .replaceAll(NAMES, (name, version?: string) => version ?? (name.includes("@") ? "(address)" : "#"))
    .replaceAll(/\s+/g, " ")
    .slice(0, LENGTH)
    .trim();
