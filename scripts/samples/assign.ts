import { meant, UsageError } from "../lib/cli.ts";

type Node = Record<string, unknown>;

/** The top-level `metadata` belongs to Supabase. */
const OPEN = /^(public_|private_|unsafe_|user_|app_)?metadata$/;

/**
 * Sets one JSON value: `assign(body, "data.object.lines.data[0].amount", "4900")`. JSON text is parsed. Throws on an
 * unknown path, except in metadata.
 */
export const assign = (body: Node, path: string, value: unknown): void => {
  const keys = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  let node = body;
  for (const [depth, key] of keys.entries()) {
    const open = depth > 1 && OPEN.test(keys[depth - 1] ?? "");
    if (!Object.hasOwn(node, key) && !open) throw new UsageError(unknown(path, keys.slice(0, depth), key, node));
    if (depth === keys.length - 1) {
      Object.defineProperty(node, key, { value: parsed(value), writable: true, enumerable: true, configurable: true });
      return;
    }
    const next = node[key];
    if (typeof next !== "object" || next === null) {
      const here = keys.slice(0, depth + 1).join(".");
      throw new UsageError(
        `No such path: ${path}. ${here} is ${JSON.stringify(next)} in this sample; set it as a whole.`,
      );
    }
    node = next as Node;
  }
};

const unknown = (path: string, parents: readonly string[], key: string, node: Node) => {
  const names = Object.keys(node);
  const hint =
    names.length === 0 ? "Its parent is empty." : meant(key, names, parents.map((parent) => `${parent}.`).join(""));
  return `No such path: ${path}. ${hint}`;
};

const parsed = (value: unknown) => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
};
