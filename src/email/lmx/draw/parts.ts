import type { VariablePlace } from "../language/variables.ts";
import { escapeHtml } from "./escape.ts";

/**
 * A place for a value. `as` says how `fill` escapes the value there. `otherwise`: what an address of a picture becomes,
 * already escaped, where the value is no web address.
 */
export type Slot = { variable: string; as: "html" | "url" | "text" | "line"; otherwise?: string };

/** A compiled text: literals and slots in order. Plain JSON, without adjacent strings. */
export type Parts = readonly (string | Slot)[];

/**
 * A compiled document: both bodies, and every variable they need ("data.amount"), each once. `places`: where the document
 * has its variables. `themes`, `components`: the ids of what it used of the library.
 */
export type Compiled = {
  html: Parts;
  text: Parts;
  variables: string[];
  places: VariablePlace[];
  themes: string[];
  components: string[];
};

/** Output of the renderers: nested parts, so that nothing is copied before `flatten`. */
export type Piece = string | Slot | readonly Piece[];

/** Flattens a tree of pieces into parts, with adjacent strings merged. */
export const flatten = (piece: Piece): Parts => {
  const parts: (string | Slot)[] = [];
  let run = "";
  const visit = (item: Piece): void => {
    if (typeof item === "string") run += item;
    else if ("variable" in item) {
      if (run !== "") parts.push(run);
      parts.push(item);
      run = "";
    } else for (const child of item) visit(child);
  };
  visit(piece);
  if (run !== "") parts.push(run);
  return parts;
};

/** The variables of several parts, each once, in order of appearance. */
export const variablesOf = (...all: readonly Parts[]): string[] => [
  ...new Set(all.flat().flatMap((part) => (typeof part === "string" ? [] : [part.variable]))),
];

/** A one-line text (subject, preview text), escaped for HTML. */
export const lineToHtml = (line: Parts): Piece =>
  line.map((part) => (typeof part === "string" ? escapeHtml(part) : { variable: part.variable, as: "html" as const }));
