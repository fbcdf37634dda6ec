import { instantOfWall, instantsOfWall, isoOf, wallTimeAt } from "../../../../../lib/util/dates.ts";
import { offsetOf, ownZone } from "../../../parts/time.ts";

/** Length of "2026-01-31T09:30". An offset may follow. */
const WALL = 16;

const wallOf = (at: number, zone: string): string => isoOf(wallTimeAt(at, zone)).slice(0, WALL);

/** Instants (Unix ms) of a wall time: none in a clock-forward gap, two when clocks go back. */
const instantsOf = (wall: string, zone: string): number[] => {
  const asUtc = Date.parse(`${wall}Z`);
  return Number.isNaN(asUtc) ? [] : instantsOfWall(asUtc, zone);
};

/** Time in the zone for a field: "2026-01-31T09:30". The second of two equal times ends with its offset. */
export const localOf = (iso: string, zone = ownZone()): string => {
  const at = Date.parse(iso);
  const wall = wallOf(at, zone);
  const [, second] = instantsOf(wall, zone);
  return second === Math.floor(at / 60_000) * 60_000 ? wall + offsetOf(second, zone) : wall;
};

/** The part that a date-time field can show. */
export const fieldOf = (local: string): string => local.slice(0, WALL);

/** ISO 8601 UTC of a time in the zone, or undefined. The first of two unless an offset is given. */
export const instantOf = (local: string, zone = ownZone()): string | undefined => {
  const hasOffset = local.length > WALL && /[+-]\d{2}:\d{2}$/.test(local);
  const at = hasOffset ? Date.parse(local) : Date.parse(`${local}Z`);
  if (local.trim() === "" || Number.isNaN(at)) return undefined;
  // A time that clocks skip has a problem of its own.
  return isoOf(hasOffset ? at : (instantsOfWall(at, zone)[0] ?? at));
};

/** The two instants of an ambiguous time, otherwise empty. */
export const choicesOf = (local: string, zone = ownZone()): { value: string; label: string }[] => {
  const wall = fieldOf(local);
  const found = instantsOf(wall, zone);
  if (found.length < 2) return [];
  const time = wall.slice(-5);
  return found.map((at, index) => ({
    value: index === 0 ? wall : wall + offsetOf(at, zone),
    label: `the ${index === 0 ? "first" : "second"} ${time} (UTC${offsetOf(at, zone).replace("-", "−")})`,
  }));
};

/** Explains a time skipped when clocks go forward, or undefined. */
export const gapText = (local: string, zone = ownZone()): string | undefined => {
  const wall = fieldOf(local);
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc) || instantsOf(wall, zone).length > 0) return undefined;
  const other = wallOf(instantOfWall(asUtc, zone), zone).slice(-5);
  return `There is no ${wall.slice(-5)} that night: clocks go forward. Give another time, such as ${other}.`;
};
