import { isoOf } from "../../lib/util/dates.ts";

/** Converts Unix seconds to ISO 8601; null and undefined stay. */
export const seconds = <T extends null | undefined = never>(value: number | T): string | T =>
  typeof value === "number" ? isoOf(value * 1000) : value;
