/** A JSON object of unknown content. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for a list and for null. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
