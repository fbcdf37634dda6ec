type Type = "string" | "number" | "boolean" | "date";
export type Property = { name: string; label: string; type: Type };

/** Set by the API or identifying. */
const READ_ONLY: ReadonlySet<string> = new Set(["id", "email", "userId", "createdAt", "updatedAt", "optInStatus"]);
const ELSEWHERE: ReadonlySet<string> = new Set(["subscribed"]);

/** Editable properties, including empty ones. */
export const editable = <P extends { name: string }>(properties: readonly P[]): P[] =>
  properties.filter(({ name }) => !READ_ONLY.has(name) && !ELSEWHERE.has(name));

export const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

/** Parses text. Empty text clears the property. */
const readValue = (text: string, type: Type): { value: string | number | boolean | null } | { problem: string } => {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  if (type === "boolean")
    return trimmed === "true" || trimmed === "false"
      ? { value: trimmed === "true" }
      : { problem: "must be true or false" };
  if (type === "number") {
    const value = Number(trimmed);
    return Number.isFinite(value) ? { value } : { problem: "must be a number" };
  }
  return { value: type === "string" ? text : trimmed };
};

/** Changed values, and fields with invalid text. */
export const changesIn = (
  properties: readonly Property[],
  before: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string>>,
): { changes: Record<string, string | number | boolean | null>; problems: Record<string, string> } => {
  const changes: Record<string, string | number | boolean | null> = {};
  const problems: Record<string, string> = {};
  for (const { name, type } of properties) {
    const text = texts[name];
    if (text === undefined || text === textOf(before[name])) continue;
    const read = readValue(text, type);
    if ("problem" in read) problems[name] = read.problem;
    else changes[name] = read.value;
  }
  return { changes, problems };
};
