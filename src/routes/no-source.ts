import { closest } from "../lib/util/nearest.ts";

/** Says that a source is none of those there are, and which it may be a slip of. */
export const noSource = (name: string, names: readonly string[]): string => {
  const like = closest(name, names);
  const hint = like === undefined ? "" : ` Did you mean ${like}?`;
  return `There is no source "${name.slice(0, 50)}".${hint} Known: ${names.join(", ")}.`;
};
