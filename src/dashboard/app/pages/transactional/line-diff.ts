/** A diff line: in both texts, only old, or only new. */
export type DiffLine = { kind: "same" | "gone" | "new"; text: string };

/** The middle counts as replaced above this limit. */
const MOST_PAIRS = 1_000_000;

const linesOf = (text: string): string[] => (text === "" ? [] : text.replaceAll(/\r\n?/g, "\n").split("\n"));
const all = (kind: DiffLine["kind"], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Minimal line diff. */
export const diffLines = (before: string, after: string): DiffLine[] => {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [
    ...all("same", a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...all("same", a.slice(a.length - end)),
  ];
};

const middle = (a: readonly string[], b: readonly string[]): DiffLine[] => {
  if (a.length * b.length > MOST_PAIRS) return [...all("gone", a), ...all("new", b)];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i] ?? "" });
      [i, j] = [i + 1, j + 1];
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ kind: "gone", text: a[i++] ?? "" });
    else lines.push({ kind: "new", text: b[j++] ?? "" });
  }
  return [...lines, ...all("gone", a.slice(i)), ...all("new", b.slice(j))];
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
