import { isoOf } from "../../lib/util/dates.ts";

/**
 * Unix seconds as an ISO 8601 time, the form of date properties: `seconds(1767225600)` is "2026-01-01T00:00:00.000Z".
 * null and undefined are returned as given: they clear or omit the property.
 * @param value Unix seconds.
 */
export const seconds = <T extends null | undefined = never>(value: number | T): string | T =>
  typeof value === "number" ? isoOf(value * 1000) : value;
