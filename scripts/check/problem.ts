/** A finding. An error fails the check, a note does not. */
export type Problem = {
  level: "error" | "note";
  /** Name of the source, or file and line. */
  source?: string;
  rule?: string;
  fixture?: string;
  message: string;
};

export const textOf = ({ source, rule, fixture, message }: Omit<Problem, "level">): string => {
  const where = [source, fixture && `fixture ${fixture}`].filter(Boolean).join(", ");
  if (rule === undefined) return where ? `${where}: ${message}` : message;
  return `rule "${rule}"${where ? ` (${where})` : ""}: ${message}`;
};
