import { withoutNames } from "../../lib/names/without-names.ts";
import type { Delivery } from "../model/journal-types.ts";

const LENGTH = 300;

/** Returns a reason without addresses, ids and numbers, so equal causes match. */
export const causeOf = ({ message, state }: Pick<Delivery, "message" | "state">): string =>
  withoutNames(message || state)
    .replaceAll(/\s+/g, " ")
    .slice(0, LENGTH)
    .trim();
