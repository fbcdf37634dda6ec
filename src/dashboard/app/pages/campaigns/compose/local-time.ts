import { offsetOf, two } from "../../../parts/time.ts";

/** Length of "2026-01-31T09:30". An offset may follow. */
const WALL = 16;
const DAY = 86_400_000;

const wallOf = (at: number): string => {
  const of = new Date(at);
  const day = [of.getFullYear(), two(of.getMonth() + 1), two(of.getDate())].join("-");
  return `${day}T${two(of.getHours())}:${two(of.getMinutes())}`;
};

/** Instants (Unix ms) of a wall time: none in a clock-forward gap, two when clocks go back. */
const instantsOf = (wall: string): number[] => {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsets = new Set([asUtc - DAY, asUtc + DAY].map((at) => new Date(at).getTimezoneOffset()));
  const found = [...offsets].map((minutes) => asUtc + minutes * 60_000).filter((at) => wallOf(at) === wall);
  return found.sort((a, b) => a - b);
};

/** Local time for a field: "2026-01-31T09:30". The second of two equal times ends with its offset. */
export const localOf = (iso: string): string => {
  const at = Date.parse(iso);
  const wall = wallOf(at);
  const [, second] = instantsOf(wall);
  return second === Math.floor(at / 60_000) * 60_000 ? wall + offsetOf(second) : wall;
};

/** The part that a date-time field can show. */
export const fieldOf = (local: string): string => local.slice(0, WALL);

/** ISO 8601 UTC of local text, or undefined. The first of two unless an offset is given. */
export const instantOf = (local: string): string | undefined => {
  const at = Date.parse(local);
  return local.trim() === "" || Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** The two instants of an ambiguous time, otherwise empty. */
export const choicesOf = (local: string): { value: string; label: string }[] => {
  const wall = fieldOf(local);
  const found = instantsOf(wall);
  if (found.length < 2) return [];
  const time = wall.slice(-5);
  return found.map((at, index) => ({
    value: index === 0 ? wall : wall + offsetOf(at),
    label: `the ${index === 0 ? "first" : "second"} ${time} (UTC${offsetOf(at).replace("-", "−")})`,
  }));
};

/** Explains a time skipped when clocks go forward, or undefined. */
export const gapText = (local: string): string | undefined => {
  const wall = fieldOf(local);
  const at = Date.parse(wall);
  if (Number.isNaN(at) || instantsOf(wall).length > 0) return undefined;
  return `There is no ${wall.slice(-5)} that night: clocks go forward. Give another time, such as ${wallOf(at).slice(-5)}.`;
};
