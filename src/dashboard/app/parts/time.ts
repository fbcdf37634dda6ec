import { MOMENT, wallTimeAt } from "../../../lib/util/dates.ts";
import { serviceTime } from "../api/service-time.ts";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats "3 minutes ago"; both arguments are Unix ms. */
export const relative = (at: number, now: number): string => {
  const distance = at - now;
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ["second", 1_000];
  return words.format(Math.trunc(distance / ms), unit);
};

/** Formats an age as "2 minutes"; both arguments are Unix ms. */
export const ageText = (at: number, now: number): string => {
  const [unit, ms] = UNITS.find(([, length]) => now - at >= length) ?? ["second", 1_000];
  const count = Math.max(0, Math.trunc((now - at) / ms));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

/** Formats "22:27", in the zone of this browser. */
export const clockText = (iso: string): string =>
  new Date(iso).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

const daysBefore = (at: number, now: number): number =>
  Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);

/** Formats a day as "Today, November 28", in the zone of this browser; `now` is Unix ms. */
export const dayText = (iso: string, now: number): string => {
  const at = Date.parse(iso);
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const day = new Date(at).toLocaleDateString("en", {
    month: "long",
    day: "numeric",
    ...(!isSameYear && { year: "numeric" }),
  });
  const word = ["Today", "Yesterday"][daysBefore(at, now)];
  return word === undefined ? day : `${word}, ${day}`;
};

/** Returns the service's time in Unix ms. */
export const clock = (): number => serviceTime();

const two = (number: number): string => String(number).padStart(2, "0");

/** The time zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats the offset of a time zone at a time (Unix ms): "+01:00". */
export const offsetOf = (at: number, zone = ownZone()): string => {
  const seconds = Math.floor(at / 1_000) * 1_000;
  const offset = Math.round((wallTimeAt(seconds, zone) - seconds) / 60_000);
  const of = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(of / 60))}:${two(of % 60)}`;
};

/** Formats the zone at a time (Unix ms): "Europe/Berlin, UTC+01:00". */
export const zoneText = (at: number, zone = ownZone()): string => `${zone}, UTC${offsetOf(at, zone).replace("-", "−")}`;

/** Formats "Nov 28, 2026, 13:12 (Europe/Berlin, UTC+01:00)". */
export const whenText = (iso: string, timeZone = ownZone()): string => {
  const text = new Date(iso).toLocaleString("en", { ...MOMENT, timeZone });
  return `${text} (${zoneText(Date.parse(iso), timeZone)})`;
};
