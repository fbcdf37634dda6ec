import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS, isoOf, looksLikeSeconds, toIsoDate } from "../../../lib/util/dates.ts";

const MAX_AHEAD_MS = 365 * DAY_MS;

const WITH_OFFSET = /[T ].*(Z|[+-]\d{2}:?\d{2})$/i;

type Asked = { method: "now" | "schedule"; timestamp?: string | number | null | undefined };

/** A start. `scheduledAt` is Unix ms, null for "now". */
export type Scheduling = { method: "now" | "schedule"; scheduledAt: number | null };

/** Reads the start. `now` is Unix ms. */
export const readScheduling = (
  { method, timestamp }: Asked,
  now: number,
): { scheduling: Scheduling } | { refusal: Refusal } => {
  if (timestamp === undefined || timestamp === null) return { scheduling: { method, scheduledAt: null } };
  if (looksLikeSeconds(timestamp)) return refuse(`${timestamp} looks like Unix seconds. Send milliseconds`);
  const date = toIsoDate(timestamp);
  if (date === undefined) return refuse("must be a date: ISO 8601 or Unix milliseconds");
  // A time without an offset is ambiguous.
  if (typeof timestamp === "string" && !WITH_OFFSET.test(timestamp))
    return refuse(`must have a time and its offset from UTC, such as ${exampleAfter(now)}`);
  const scheduledAt = Date.parse(date);
  if (scheduledAt <= now) return refuse(`must be in the future. It is ${isoOf(now)} now, and ${date} was before`);
  if (scheduledAt > now + MAX_AHEAD_MS) return refuse(`must be within a year from now; ${date} is later`);
  return { scheduling: { method, scheduledAt } };
};

const exampleAfter = (now: number): string => `${isoOf(now + DAY_MS).slice(0, 10)}T09:00:00+01:00`;

const refuse = (message: string): { refusal: Refusal } => {
  const path = "scheduling.timestamp";
  return { refusal: { code: "invalid_request", path, message: `${path}: ${message}.` } };
};
