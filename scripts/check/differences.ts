import { isDeepStrictEqual } from "node:util";

type Leaf = { path: string; value: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Deliveries and outcomes are keyed by rule, so that a new one does not shift the others. */
const keyOf = (item: unknown, index: number): string =>
  isObject(item) && typeof item.rule === "string"
    ? `${item.rule}${typeof item.action === "string" ? `, ${item.action}` : ""}`
    : String(index);

/** Empty objects and lists count as values. */
const leaves = (value: unknown, path: string): Leaf[] => {
  if (!isObject(value) || Object.keys(value).length === 0) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, `${path}[${keyOf(item, i)}]`));
  const named = path.endsWith("]") && typeof value.rule === "string";
  const rest = Object.entries(value).filter(([key]) => !(named && (key === "rule" || key === "action")));
  return rest.flatMap(([key, item]) => leaves(item, path ? `${path}.${key}` : key));
};

const shown = (value: unknown) => JSON.stringify(value);

/**
 * Compares JSON: `deliveries[receipt, transactional].dataVariables.amount: "$1" → "$2"`. `+` means added, `-` removed. Key
 * order is ignored.
 */
export const differences = (expected: unknown, got: unknown): string[] => {
  if (isDeepStrictEqual(expected, got)) return [];
  const before = new Map(leaves(expected, "").map(({ path, value }) => [path, value]));
  const after = new Map(leaves(got, "").map(({ path, value }) => [path, value]));
  const lines: string[] = [];
  for (const [path, value] of before) {
    if (!after.has(path)) lines.push(`- ${path}: ${shown(value)}`);
    else if (!isDeepStrictEqual(value, after.get(path)))
      lines.push(`${path}: ${shown(value)} → ${shown(after.get(path))}`);
  }
  for (const [path, value] of after) if (!before.has(path)) lines.push(`+ ${path}: ${shown(value)}`);
  return lines.length > 0 ? lines : ["the deliveries are in another order"];
};
