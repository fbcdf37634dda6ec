import { serviceTime } from "../api/service-time.ts";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A time as people say it: "3 minutes ago". Both in Unix ms. */
export const relative = (at: number, now: number): string => {
  const distance = at - now;
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ["second", 1_000];
  return words.format(Math.trunc(distance / ms), unit);
};

/** The time now as the service has it, in Unix ms: what it starts, and what it refuses, goes by that. */
export const clock = (): number => serviceTime();

/** A number with two digits, as times have it. */
export const two = (number: number): string => String(number).padStart(2, "0");

/** The offset of this browser's zone at an instant, as ISO 8601: "+01:00". `at`: Unix ms. */
export const offsetOf = (at: number): string => {
  const offset = -new Date(at).getTimezoneOffset();
  const of = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(of / 60))}:${two(of % 60)}`;
};

/** The zone of this browser at a time: "Europe/Berlin, UTC+01:00". `at`: Unix ms. */
export const zoneText = (at: number): string =>
  `${Intl.DateTimeFormat().resolvedOptions().timeZone}, UTC${offsetOf(at).replace("-", "−")}`;

/** An instant for a person, with its zone: "Nov 28, 2026, 1:12 PM (Europe/Berlin, UTC+01:00)". */
export const whenText = (iso: string): string =>
  `${new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })} (${zoneText(Date.parse(iso))})`;
