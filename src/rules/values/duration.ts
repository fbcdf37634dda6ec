import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/util/dates.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Milliseconds of a duration such as `90s`, `10m`, `2h` or `1d`. Throws on anything else. */
export const duration = (text: string): number => {
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (!(milliseconds > 0))
    throw new Error(`"${text}" is not a duration: expected a number and s, m, h or d, as in "10m".`);
  return milliseconds;
};
