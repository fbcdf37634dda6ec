import { nearest } from "../lib/util/nearest.ts";

const LONGEST = 50;

/** Builds the operator's message with the most similar name and all known names. */
export const noSource = (name: string, names: readonly string[]): string => {
  const like = nearest(name, names);
  const hint = like === undefined ? "" : ` Did you mean ${like}?`;
  return `There is no source "${name.slice(0, LONGEST)}".${hint} Known: ${names.join(", ")}.`;
};

/** Names no other source: strangers read it too. */
export const unknownSource = (name: string): string =>
  `There is no source "${name.slice(0, LONGEST)}". The address is /hooks/ and a name that src/sources.ts has.`;

/** Message for a known source; `rest`: the address after its name and a slash, which is not repeated. */
export const longAddress = (name: string, rest: string): string =>
  `The address ${rest === "" ? "ends with a slash" : "goes on after the name of the source, which takes no secret there"}. Send to /hooks/${name}.`;
