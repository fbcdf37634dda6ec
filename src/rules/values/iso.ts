/**
 * Normalizes an ISO 8601 time to UTC; "" becomes null.
 * @throws if the text is not a time
 */
export const iso = (time: string | null | undefined): string | null | undefined => {
  if (!time) return time === undefined ? undefined : null;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) throw new Error(`"${time.slice(0, 40)}" is not an ISO 8601 time.`);
  return at.toISOString();
};
