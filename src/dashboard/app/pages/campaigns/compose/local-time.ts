import { offsetOf, two } from "../../../parts/time.ts";

/** As long as "2026-01-31T09:30" is. What comes after it is an offset. */
const WALL = 16;
const DAY = 86_400_000;

/** What clocks of this browser's zone show at an instant. `at`: Unix ms. */
const wallOf = (at: number): string => {
  const of = new Date(at);
  const day = [of.getFullYear(), two(of.getMonth() + 1), two(of.getDate())].join("-");
  return `${day}T${two(of.getHours())}:${two(of.getMinutes())}`;
};

/** The instants at which clocks of this browser's zone show a time, in Unix ms: none where they go forward over it, two where they go back over it. */
const instantsOf = (wall: string): number[] => {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsets = new Set([asUtc - DAY, asUtc + DAY].map((at) => new Date(at).getTimezoneOffset()));
  const found = [...offsets].map((minutes) => asUtc + minutes * 60_000).filter((at) => wallOf(at) === wall);
  return found.sort((a, b) => a - b);
};

/**
 * An instant as a field for date and time shows it, in the zone of this browser: "2026-01-31T09:30". The second of two that clocks show alike,
 * when they go back, has its offset at its end.
 */
export const localOf = (iso: string): string => {
  const at = Date.parse(iso);
  const wall = wallOf(at);
  const [, second] = instantsOf(wall);
  return second === Math.floor(at / 60_000) * 60_000 ? wall + offsetOf(second) : wall;
};

/** What a field for date and time can show of such a text. */
export const fieldOf = (local: string): string => local.slice(0, WALL);

/** The instant of such a text, as ISO 8601 in UTC; undefined where it is none. Of two, the first, unless the text says otherwise. */
export const instantOf = (local: string): string | undefined => {
  const at = Date.parse(local);
  return local.trim() === "" || Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** The two times that are meant where clocks show one time twice; none where it is there once. */
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

/** Why no clock of this zone shows a time: they go forward over it. None where they do show it. */
export const gapText = (local: string): string | undefined => {
  const wall = fieldOf(local);
  const at = Date.parse(wall);
  if (Number.isNaN(at) || instantsOf(wall).length > 0) return undefined;
  return `There is no ${wall.slice(-5)} that night: clocks go forward. Give another time, such as ${wallOf(at).slice(-5)}.`;
};
