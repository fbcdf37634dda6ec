import type { VariablePlace } from "../language/variables.ts";
import { escapeHtml } from "./escape.ts";

/**
 * A place for a value. `as` says how `fill` escapes the value there. `otherwise`: what an address of a picture becomes,
 * already escaped, where the value is no web address.
 */
export type Slot = { variable: string; as: "html" | "url" | "text" | "line"; otherwise?: string };

/**
 * A picture that the email Worker serves: its tag before and after the Worker's public address. `otherwise`: what a reader
 * sees where that address is not known.
 */
export type Served = { before: string; after: string; otherwise: string };

type Part = string | Slot | Served;

/** A compiled text: literals, slots and served pictures in order. Plain JSON, without adjacent strings. */
export type Parts = readonly Part[];

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
export type Piece = Part | readonly Piece[];

/** Flattens a tree of pieces into parts, with adjacent strings merged. */
export const flatten = (piece: Piece): Parts => {
  const parts: Part[] = [];
  let run = "";
  const visit = (item: Piece): void => {
    if (typeof item === "string") run += item;
    else if ("variable" in item || "before" in item) {
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
  ...new Set(all.flat().flatMap((part) => (typeof part !== "string" && "variable" in part ? [part.variable] : []))),
];

/** The markup of a part that is the same in every mail. */
export const literalOf = (part: Part): string => {
  if (typeof part === "string") return part;
  return "before" in part ? part.before + part.after : "";
};

/** A one-line text (subject, preview text), escaped for HTML. */
export const lineToHtml = (line: Parts): Piece =>
  line.map((part) => {
    if (typeof part === "string") return escapeHtml(part);
    return "variable" in part ? { variable: part.variable, as: "html" as const } : part;
  });
