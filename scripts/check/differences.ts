import { isDeepStrictEqual } from "node:util";

type Leaf = { path: string; value: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** What an item of a list goes by: a call or an outcome by its rule, so that a new one does not shift all that follow. */
const keyOf = (item: unknown, index: number): string =>
  isObject(item) && typeof item.rule === "string"
    ? `${item.rule}${typeof item.action === "string" ? `, ${item.action}` : ""}`
    : String(index);

/** Every value by its path; empty objects and lists count as values. */
const leaves = (value: unknown, path: string): Leaf[] => {
  if (!isObject(value) || Object.keys(value).length === 0) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, `${path}[${keyOf(item, i)}]`));
  const named = path.endsWith("]") && typeof value.rule === "string";
  const rest = Object.entries(value).filter(([key]) => !(named && (key === "rule" || key === "action")));
  return rest.flatMap(([key, item]) => leaves(item, path ? `${path}.${key}` : key));
};

const told = (value: unknown) => JSON.stringify(value);

/**
 * How two JSON values differ, a line each: `calls[receipt, transactional].dataVariables.amount: "$1" → "$2"`, or with `+`
 * and `-` before what came and went. Empty where they are equal; the order of keys does not count.
 */
export const differences = (expected: unknown, got: unknown): string[] => {
  if (isDeepStrictEqual(expected, got)) return [];
  const before = new Map(leaves(expected, "").map(({ path, value }) => [path, value]));
  const after = new Map(leaves(got, "").map(({ path, value }) => [path, value]));
  const lines: string[] = [];
  for (const [path, value] of before) {
    if (!after.has(path)) lines.push(`- ${path}: ${told(value)}`);
    else if (!isDeepStrictEqual(value, after.get(path)))
      lines.push(`${path}: ${told(value)} → ${told(after.get(path))}`);
  }
  for (const [path, value] of after) if (!before.has(path)) lines.push(`+ ${path}: ${told(value)}`);
  return lines.length > 0 ? lines : ["the calls come in another order"];
};
