import { remember } from "../../lib/util/remember.ts";

/**
 * A point in time as a date a person reads: `day(1767225600)` is "January 1, 2026".
 * @param seconds Unix seconds.
 * @param timeZone The date is that of this zone; UTC unless told, so that a rule gives the same text everywhere.
 */
export const day = (seconds: number, locale = "en-US", timeZone = "UTC"): string =>
  formatOf(locale, timeZone).format(seconds * 1000);

const formatOf = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
);
