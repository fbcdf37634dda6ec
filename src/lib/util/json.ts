/** A JSON object of unknown content. */
export type Json = Readonly<Record<string, unknown>>;

/** True for an object as JSON has it: not for a list, and not for null. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
