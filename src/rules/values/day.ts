import { remember } from "../../lib/util/remember.ts";

/** Formats Unix seconds: `day(1767225600)` is "January 1, 2026". */
export const day = (seconds: number, locale = "en-US", timeZone = "UTC"): string =>
  formatOf(locale, timeZone).format(seconds * 1000);

const formatOf = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
);
