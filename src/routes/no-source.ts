import { closest } from "../lib/util/nearest.ts";

/** The message for an unknown source: the most similar name and all known names. */
export const noSource = (name: string, names: readonly string[]): string => {
  const like = closest(name, names);
  const hint = like === undefined ? "" : ` Did you mean ${like}?`;
  return `There is no source "${name.slice(0, 50)}".${hint} Known: ${names.join(", ")}.`;
};
