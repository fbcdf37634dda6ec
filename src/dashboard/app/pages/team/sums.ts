import { DAY_MS, isoOf, wallTimeAt } from "../../../../lib/util/dates.ts";

/** Mails of a day in the team's time zone, such as "2026-01-31". */
export type MailsOfDay = { day: string; transactional: number; marketing: number };

/** Time spans in days, including today. */
export const SPANS = [
  { days: 1, name: "Today" },
  { days: 7, name: "In 7 days" },
  { days: 30, name: "In 30 days" },
] as const;

const dayOf = (at: number, zone: string): string => isoOf(wallTimeAt(at, zone)).slice(0, 10);

const firstOf = (now: number, days: number, zone: string): string =>
  isoOf(wallTimeAt(now, zone) - (days - 1) * DAY_MS).slice(0, 10);

/** Mails of the last days. `now`: Unix ms. */
export const sumOf = (mails: readonly MailsOfDay[], now: number, days: number, zone: string) => {
  const first = firstOf(now, days, zone);
  const counted = mails.filter(({ day }) => day >= first);
  const of = (name: "transactional" | "marketing") => counted.reduce((sum, day) => sum + day[name], 0);
  return { transactional: of("transactional"), marketing: of("marketing") };
};

/** True if the span begins before counting did. `since`: ISO 8601. */
export const isPartial = (since: string, now: number, days: number, zone: string): boolean =>
  dayOf(Date.parse(since), zone) > firstOf(now, days, zone);

/** Formats bytes such as "1.4 MB". */
export const bytesOf = (bytes: number): string => {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? value : Number(value.toFixed(value < 10 ? 1 : 0))} ${units[power]}`;
};
