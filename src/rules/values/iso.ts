/**
 * Normalizes an ISO 8601 time, so that times of different providers compare: `iso("2026-01-01T01:00:00+01:00")` is
 * "2026-01-01T00:00:00.000Z". undefined stays undefined; null and "" give null.
 * @throws where the text is not a time
 */
export const iso = (time: string | null | undefined): string | null | undefined => {
  if (!time) return time === undefined ? undefined : null;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) throw new Error(`"${time.slice(0, 40)}" is not an ISO 8601 time.`);
  return at.toISOString();
};
