/** Where a value stands in a file: keys and positions in lists. */
export type Path = readonly (string | number)[];

/** A fault of a file. `line`, `column`: from 1. */
export type FileProblem = { file: string; line: number; column: number; path: Path; message: string };

/** Notes what is wrong with a value. */
export type Fault = (path: Path, message: string) => void;

/** `trial.yaml:12:9 steps[2].wait: must be a time such as 3 d` */
export const problemText = ({ file, line, column, path, message }: FileProblem): string =>
  `${file}:${line}:${column}${path.length > 0 ? ` ${pathText(path)}:` : ""} ${message}`;

export const pathText = (path: Path): string =>
  path.map((key, i) => (typeof key === "number" ? `[${key}]` : i > 0 ? `.${key}` : key)).join("");

/** A file that cannot be read as a workflow. The message names every fault with its line. */
export class FileError extends Error {
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(problemText).join("\n"));
    this.problems = problems;
  }
}
