import { DAY_MS, HOUR_MS, instantOfWall, wallTimeAt } from "../../../lib/util/dates.ts";

/** Whole hours that are counted one by one, from the hour of the start. */
export const HOURS = 168;
/** Days after the day of the start that are counted one by one. */
const DAYS = 90;

/** The count of all that comes after the last day. */
const LATER = "later";

/** Counts by bucket, as they are stored: h and the Unix hour, d and the Unix day of the wall clock, or "later". */
export type Times = Readonly<Record<string, number>>;

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
const dayOf = (at: number, zone: string): number => Math.floor(wallTimeAt(at, zone) / DAY_MS);

/** The bucket of a time, for a campaign that started at `startedAt` (Unix ms). */
export const bucketOf = (at: number, startedAt: number, zone: string): string => {
  const hour = hourOf(at);
  if (hour < hourOf(startedAt) + HOURS) return `h${hour}`;
  const day = dayOf(at, zone);
  return day <= dayOf(startedAt, zone) + DAYS ? `d${day}` : LATER;
};

/** Starts of the hours (Unix ms) from the start to `now`, at most 168. */
const hoursUntil = (startedAt: number, now: number): number[] => {
  const first = hourOf(startedAt);
  const last = Math.min(hourOf(now), first + HOURS - 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => (first + place) * HOUR_MS);
};

/** Starts of the days (Unix ms) from the start to `now`, at most 91. */
const daysUntil = (startedAt: number, now: number, zone: string): number[] => {
  const first = dayOf(startedAt, zone);
  const last = Math.min(dayOf(now, zone), first + DAYS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) =>
    instantOfWall((first + place) * DAY_MS, zone),
  );
};

type Span = { unit: "hour" | "day"; startedAt: number; now: number; zone: string };

/**
 * Counts per point, in the order of `at` (Unix ms), and all others. An hour belongs to the day of the time zone in which
 * it begins.
 */
export const pointsOf = ({ unit, startedAt, now, zone }: Span, times: Times): { at: number; count: number }[] => {
  const starts = unit === "hour" ? hoursUntil(startedAt, now) : daysUntil(startedAt, now, zone);
  const keyOf = (bucket: string): number | undefined => {
    const number = Number(bucket.slice(1));
    if (bucket.startsWith("h")) return unit === "hour" ? number : dayOf(number * HOUR_MS, zone);
    return bucket.startsWith("d") && unit === "day" ? number : undefined;
  };
  const counts = new Map<number, number>();
  for (const [bucket, count] of Object.entries(times)) {
    const key = keyOf(bucket);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return starts.map((at) => ({ at, count: counts.get(unit === "hour" ? hourOf(at) : dayOf(at, zone)) ?? 0 }));
};
