import { remember } from "../../lib/util/remember.ts";

/** Formats Unix seconds: `day(1767225600)` is "January 1, 2026". */
export const day = (seconds: number, locale = "en-US", timeZone = "UTC"): string =>
  // Formatting takes as long as all rules of a webhook, and most webhooks are about the same few days.
  formatted(timeZone === "UTC" ? Math.floor(seconds / DAY_S) * DAY_S : seconds, locale, timeZone);

const DAY_S = 86_400;

const formatted = remember((seconds: number, locale: string, timeZone: string) =>
  formatOf(locale, timeZone).format(seconds * 1000),
);

const formatOf = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
);
