/** A finding. An error fails the check, a note does not. */
export type Problem = {
  level: "error" | "note";
  /** Name of the source, or file and line. */
  source?: string;
  rule?: string;
  fixture?: string;
  message: string;
  /** Types and rules that throw come first, because they cause others. */
  first?: true;
  /** Differences from a golden file. */
  lines?: readonly string[];
};

export const textOf = ({ source, rule, fixture, message }: Omit<Problem, "level" | "first" | "lines">): string => {
  const where = [source, fixture && `fixture ${fixture}`].filter(Boolean).join(", ");
  if (rule === undefined) return where ? `${where}: ${message}` : message;
  return `rule "${rule}"${where ? ` (${where})` : ""}: ${message}`;
};

const MOST_NAMES = 3;

/** Lists the first names, and the number of the others. */
export const someOf = (names: readonly string[]): string => {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
};
