import { remember } from "../../lib/util/remember.ts";

/**
 * Formats a time as a date: `day(1767225600)` is "January 1, 2026".
 * @param seconds Unix seconds.
 * @param timeZone UTC by default, so that a rule gives the same text on every machine.
 */
export const day = (seconds: number, locale = "en-US", timeZone = "UTC"): string =>
  formatOf(locale, timeZone).format(seconds * 1000);

const formatOf = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
);
