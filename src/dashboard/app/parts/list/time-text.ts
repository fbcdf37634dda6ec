import type { Filters } from "../filters.ts";

export const LAST: Readonly<Record<string, string>> = {
  "1h": "last hour",
  "24h": "last 24 hours",
  "7d": "last 7 days",
  "30d": "last 30 days",
};
const shortText = (time: string): string => {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return `${time} ago`;
  const day = { month: "short", day: "numeric" } as const;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(time);
  return new Date(at).toLocaleString(
    "en",
    isDay ? { ...day, timeZone: "UTC" } : { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  );
};

/** Words of a time filter, undefined without one: "last 24 hours", "Nov 28, 10:00 – now". */
export const timeText = ({ since, until }: Filters): string | undefined => {
  if (since === undefined) return until === undefined ? undefined : `until ${shortText(until)}`;
  if (until === undefined && LAST[since] !== undefined) return LAST[since];
  return `${shortText(since)} – ${until === undefined ? "now" : shortText(until)}`;
};
