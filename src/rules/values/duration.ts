import { durationIn } from "../../lib/util/dates.ts";

/** Converts `90s`, `10m`, `2h` or `1d` to milliseconds. Throws otherwise. */
export const duration = (text: string): number => {
  const milliseconds = durationIn(text) ?? 0;
  if (milliseconds === 0)
    throw new Error(`"${text}" is not a duration: expected a number and s, m, h or d, as in "10m".`);
  return milliseconds;
};
