import { diffArrays } from "diff";

/** A diff line: in both texts, only old, or only new. */
export type DiffLine = { kind: "same" | "gone" | "new"; text: string };

/** The middle counts as replaced above this limit, because a comparison would take seconds. */
const MOST_EDITS = 2_000;

const linesOf = (text: string): string[] => (text === "" ? [] : text.replaceAll(/\r\n?/g, "\n").split("\n"));

const all = (kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Minimal line diff. */
export const diffLines = (before: string, after: string): DiffLine[] => {
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(a, b, { maxEditLength: MOST_EDITS });
  return changes
    ? changes.flatMap(({ value, removed, added }) => all(removed ? "gone" : added ? "new" : "same", value))
    : replaced(a, b);
};

const replaced = (a: readonly string[], b: readonly string[]): DiffLine[] => {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    ...all("same", a.slice(0, start)),
    ...all("gone", a.slice(start, a.length - end)),
    ...all("new", b.slice(start, b.length - end)),
    ...all("same", a.slice(a.length - end)),
  ];
};

/** Diff lines, or the number of omitted equal lines. */
export type Hunk = { lines: DiffLine[] } | { skipped: number };

/** Changed lines with context. */
export const hunksOf = (lines: readonly DiffLine[], around = 3): Hunk[] => {
  const isNear = (n: number) =>
    lines.slice(Math.max(0, n - around), n + around + 1).some(({ kind }) => kind !== "same");
  const hunks: Hunk[] = [];
  lines.forEach((line, n) => {
    const last = hunks.at(-1);
    if (isNear(n)) {
      if (last && "lines" in last) last.lines.push(line);
      else hunks.push({ lines: [line] });
    } else if (last && "skipped" in last) last.skipped += 1;
    else hunks.push({ skipped: 1 });
  });
  return hunks;
};

/** Differing message fields outside the document. */
export const changedFields = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  names: readonly string[],
): { name: string; before: string; after: string }[] =>
  names.flatMap((name) => {
    const [a, b] = [textOf(before[name]), textOf(after[name])];
    return a === b ? [] : [{ name, before: a, after: b }];
  });

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
