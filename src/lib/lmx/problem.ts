/** Lines and columns from 1, in UTF-16 units. */
export type Position = { line: number; column: number };

export type ComponentPosition = Position & { id: string };

/** A problem with a stable `code`. In a `component`, `line` and `column` locate the using tag. */
export type Problem = Position & {
  severity: "error" | "warning";
  code: string;
  message: string;
  component?: ComponentPosition;
  tag?: string;
};

/** A broken document may have tens of thousands. */
export const MAX_PROBLEMS = 100;

export const error = (at: Position, code: string, message: string): Problem => ({
  severity: "error",
  code,
  message,
  line: at.line,
  column: at.column,
});

export const warning = (at: Position, code: string, message: string): Problem => ({
  ...error(at, code, message),
  severity: "warning",
});

/** Reports a component problem at its use. */
export const inComponent = (problem: Problem, { id, name }: { id: string; name: string }, at: Position): Problem => {
  const { line, column, message, component = { id, line, column } } = problem;
  const where = `In the component "${excerpt(name)}" (${excerpt(id)}), line ${line}, column ${column}`;
  return { ...problem, message: `${where}: ${message}`, line: at.line, column: at.column, component };
};

/** Converts offsets to positions by binary search. */
export const locator = (text: string, start: Position = { line: 1, column: 1 }): ((offset: number) => Position) => {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const column = offset - (starts[low] ?? 0);
    return { line: start.line + low, column: low === 0 ? start.column + column : column + 1 };
  };
};

/** Reports control characters, which HTML and headers forbid. */
export const controlCharacters = (text: string): Problem[] => {
  // Tab and line ends are white space.
  const found = [...text.matchAll(/(?![\t\n\r])\p{Cc}/gu)];
  if (found.length === 0) return [];
  const position = locator(text);
  return found.map(({ index, 0: character }) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return error(position(index), "control_character", `The character U+${code} shows nothing: remove it`);
  });
};

export const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
