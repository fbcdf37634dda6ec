/**
 * A point in time as ISO 8601 text, the form date properties take: `seconds(1767225600)` is "2026-01-01T00:00:00.000Z".
 * null and undefined stay what they are, so that an absent time clears or omits the property.
 * @param value Unix seconds.
 */
export const seconds = <T extends null | undefined = never>(value: number | T): string | T =>
  typeof value === "number" ? new Date(value * 1000).toISOString() : value;
