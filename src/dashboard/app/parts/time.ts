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
