/** Path of a value in a file: keys and list positions. */
export type Path = readonly (string | number)[];

/** A fault of a file. `line` and `column` start at 1. */
export type FileProblem = { file: string; line: number; column: number; path: Path; message: string };

/** Reports a fault of a value. */
export type Fault = (path: Path, message: string) => void;

/** Formats a fault: `trial.yaml:12:9 steps[2].wait: must be a time such as 3 d`. */
const problemText = ({ file, line, column, path, message }: FileProblem): string =>
  `${file}:${line}:${column}${path.length > 0 ? ` ${pathText(path)}:` : ""} ${message}`;

export const pathText = (path: Path): string =>
  path.map((key, i) => (typeof key === "number" ? `[${key}]` : i > 0 ? `.${key}` : key)).join("");

/** A file that is not a valid workflow. The message lists every fault with its line. */
export class FileError extends Error {
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(problemText).join("\n"));
    this.problems = problems;
  }
}
