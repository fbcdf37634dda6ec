/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds. `now`: Unix ms, from which a date is counted. */
export const parseRetryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
