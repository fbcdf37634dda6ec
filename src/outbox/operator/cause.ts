import type { Call } from "../model/types.ts";

/** Most characters of a cause. */
const LENGTH = 300;

/** Addresses, and words with a digit: ids, numbers and times. */
const NAMES = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]*\d[\w-]*(?:[.:][\w-]*\d[\w-]*)*/g;

/** Why a call needs a person, without addresses, ids and numbers: calls with the same cause need the same remedy. */
export const causeOf = ({ message, state }: Pick<Call, "message" | "state">): string =>
  (message || state)
    .replaceAll(NAMES, (name) => (name.includes("@") ? "(address)" : "#"))
    .replaceAll(/\s+/g, " ")
    .slice(0, LENGTH)
    .trim();
