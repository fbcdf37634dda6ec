import { type Cell, cellsOf } from "./width.ts";

/** A place in a file. Line and column count from 1, in UTF-16 units. */
export type FilePosition = { path: string; text: string; line: number; column: number };

/** A problem at its place. `usedAt`: the use of its component or theme. */
export type Finding = FilePosition & {
  severity: "error" | "warning";
  code: string;
  message: string;
  fix?: string;
  usedAt?: FilePosition;
};

/** `width`: terminal columns. */
export type Look = { width: number; color: boolean };

const COLORS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export const paint = (look: Pick<Look, "color">, color: keyof typeof COLORS, text: string): string =>
  look.color ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;

/** The output's look. NO_COLOR: https://no-color.org. */
export const lookOf = (
  { isTTY, columns }: { isTTY?: boolean; columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Look => ({ width: Math.max(columns ?? 120, 40), color: isTTY === true && !env.NO_COLOR && env.TERM !== "dumb" });

/** Removes characters that a terminal obeys. */
const safe = (text: string): string =>
  cellsOf(text)
    .map(({ shown }) => shown)
    .join("");

/** Formats `path:line:column severity code: message`, with the line, a caret and the fix. */
export const frame = (finding: Finding, look: Look): string => {
  const { path, line, column, severity, code, message, fix, usedAt } = finding;
  const color = severity === "error" ? "red" : "yellow";
  const at = paint(look, "bold", `${safe(path)}:${line}:${column}`);
  const lines = [
    `${at} ${paint(look, color, `${severity} ${code}`)}: ${safe(message)}`,
    ...excerptOf(finding, look, color),
    ...(fix === undefined ? [] : [`  ${paint(look, "green", "fix:")} ${safe(fix)}`]),
    ...(usedAt === undefined ? [] : [`  used at ${safe(usedAt.path)}:${usedAt.line}:${usedAt.column}`]),
    ...(usedAt === undefined ? [] : excerptOf(usedAt, look, "dim")),
  ];
  return lines.join("\n");
};

/** Returns the line and its carets; empty without text. */
export const excerptOf = (position: FilePosition, look: Look, color: "red" | "yellow" | "dim" = "dim"): string[] => {
  if (position.text === "") return [];
  const line = lineAt(position.text, position.line);
  const number = String(position.line);
  const margin = ` ${" ".repeat(number.length)} ${paint(look, "dim", "|")} `;
  const { before, marked, after } = cut(line, position.column - 1, look.width - number.length - 4);
  const carets = "^".repeat(Math.max(widthOf(marked), 1));
  return [
    ` ${paint(look, "dim", `${number} |`)} ${[...before, ...marked, ...after].map(({ shown }) => shown).join("")}`.trimEnd(),
    `${margin}${" ".repeat(widthOf(before))}${paint(look, color, carets)}`,
  ];
};

export const lineAt = (text: string, number: number): string => {
  let start = 0;
  for (let n = 1; n < number; n++) {
    const end = text.indexOf("\n", start);
    if (end === -1) return "";
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
};

const TOKENS = /<\/?[A-Za-z][A-Za-z0-9]*|<!--|\{{1,3}[^{}<>"]{0,60}\}{0,3}|&#?\w{0,20};?|[\w.-]+/y;
const MAX_MARKED = 40;

/** Returns a token's length in UTF-16 units. An attribute value is one token. */
export const lengthAt = (line: string, offset: number): number => {
  TOKENS.lastIndex = offset;
  const quote = line.charAt(offset - 1);
  const end = line.charAt(offset - 2) === "=" && /["']/.test(quote) ? line.indexOf(quote, offset) : -1;
  const token = end > offset ? line.slice(offset, end) : TOKENS.exec(line)?.[0].trimEnd();
  return Math.min(token?.length || 1, MAX_MARKED, line.length - offset);
};

const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, { width }) => sum + width, 0);
const ELLIPSIS: Cell = { shown: "…", width: 1, offset: -1 };

const cut = (line: string, offset: number, width: number): { before: Cell[]; marked: Cell[]; after: Cell[] } => {
  const at = Math.min(offset, line.length);
  const end = at + Math.max(lengthAt(line, at), 0);
  // Splitting 100 KB into characters for each problem would be slow.
  const start = clear(line, Math.max(0, at - width));
  const stop = clear(line, Math.min(line.length, end + width));
  const cells = cellsOf(line.slice(start, stop)).map((cell) => ({ ...cell, offset: cell.offset + start }));
  const before = cells.filter((cell) => cell.offset < at);
  const marked = cells.filter((cell) => cell.offset >= at && cell.offset < end);
  const after = cells.filter((cell) => cell.offset >= end);
  const spare = Math.max(width - widthOf(marked) - 2, 0);
  // The text before a place explains it, so it gets two thirds of a long line.
  const left = Math.max(Math.floor((spare * 2) / 3), spare - widthOf(after));
  const head = last(before, left);
  const tail = first(after, spare - widthOf(head));
  return {
    before: head.length < before.length || start > 0 ? [ELLIPSIS, ...head] : head,
    marked,
    after: tail.length < after.length || stop < line.length ? [...tail, ELLIPSIS] : tail,
  };
};

const clear = (line: string, offset: number): number =>
  /[\udc00-\udfff]/.test(line.charAt(offset)) && offset > 0 ? offset - 1 : offset;

const first = (cells: readonly Cell[], width: number): Cell[] => {
  let sum = 0;
  const end = cells.findIndex((cell) => {
    sum += cell.width;
    return sum > width;
  });
  return cells.slice(0, end === -1 ? undefined : end);
};

const last = (cells: readonly Cell[], width: number): Cell[] => first(cells.toReversed(), width).reverse();
