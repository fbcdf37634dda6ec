/** What is wrong. An error fails the check, a note does not. */
export type Problem = {
  level: "error" | "note";
  /** Name of the source, where it is about one. */
  source?: string;
  rule?: string;
  fixture?: string;
  message: string;
};

/** A problem as one line: whose it is, then what it is. */
export const describe = ({ source, rule, fixture, message }: Omit<Problem, "level">): string => {
  const where = [source, fixture && `fixture ${fixture}`].filter(Boolean).join(", ");
  if (rule === undefined) return where ? `${where}: ${message}` : message;
  return `rule "${rule}"${where ? ` (${where})` : ""}: ${message}`;
};
