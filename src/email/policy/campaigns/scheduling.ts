import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS, instantsOfWall, isoOf, looksLikeSeconds, toIsoDate } from "../../../lib/util/dates.ts";

const MAX_AHEAD_MS = 365 * DAY_MS;

/** "2026-01-31" */
const DAY_LENGTH = 10;

const WITH_OFFSET = /[T ].*(Z|[+-]\d{2}:?\d{2})$/i;

type Asked = { method: "now" | "schedule"; timestamp?: string | number | null | undefined };

/** A start. `scheduledAt` is Unix ms, null for "now". */
export type Scheduling = { method: "now" | "schedule"; scheduledAt: number | null };

/** Reads the start. `now` is Unix ms. A time without an offset is of the team's time zone, unless that is UTC. */
export const readScheduling = (
  { method, timestamp }: Asked,
  now: number,
  timeZone: string,
): { scheduling: Scheduling } | { refusal: Refusal } => {
  if (timestamp === undefined || timestamp === null) return { scheduling: { method, scheduledAt: null } };
  if (looksLikeSeconds(timestamp)) return refuse(`${timestamp} looks like Unix seconds. Send milliseconds`);
  const date = toIsoDate(timestamp);
  if (date === undefined) return refuse("must be a date: ISO 8601 or Unix milliseconds");
  const scheduledAt = startIn(timestamp, date, timeZone, now);
  if (typeof scheduledAt === "string") return refuse(scheduledAt);
  if (scheduledAt <= now)
    return refuse(`must be in the future. It is ${isoOf(now)} now, and ${isoOf(scheduledAt)} was before`);
  if (scheduledAt > now + MAX_AHEAD_MS) return refuse(`must be within a year from now; ${isoOf(scheduledAt)} is later`);
  return { scheduling: { method, scheduledAt } };
};

/** Unix ms, or an error. Without a time zone of the team, a time without an offset may be another one elsewhere. */
const startIn = (timestamp: string | number, date: string, timeZone: string, now: number): number | string => {
  const wall = Date.parse(date);
  if (typeof timestamp === "number" || WITH_OFFSET.test(timestamp)) return wall;
  if (timeZone === "UTC" || timestamp.length <= DAY_LENGTH)
    return `must have a time and its offset from UTC, such as ${exampleAfter(now)}`;
  const [at, second] = instantsOfWall(wall, timeZone);
  if (at === undefined) return `does not exist in ${timeZone}, where clocks go forward then. Give another time`;
  return second === undefined
    ? at
    : `comes twice in ${timeZone}, where clocks go back then. Give the offset too: ${isoOf(at)} or ${isoOf(second)}`;
};

const exampleAfter = (now: number): string => `${isoOf(now + DAY_MS).slice(0, 10)}T09:00:00+01:00`;

const refuse = (message: string): { refusal: Refusal } => {
  const path = "scheduling.timestamp";
  return { refusal: { code: "invalid_request", path, message: `${path}: ${message}.` } };
};
