import { escapeHtml } from "./escape.ts";

/** A place a value goes. `as` says how the value is made safe there: see `fill`. */
export type Slot = { variable: string; as: "html" | "url" | "text" | "line" };

/** A compiled text: literal runs and slots in order. Plain JSON, no two strings side by side. */
export type Parts = readonly (string | Slot)[];

/** What a revision stores: both bodies, and every variable they need ("data.amount"), each once. */
export type Compiled = { html: Parts; text: Parts; variables: string[] };

/** What the renderers build: parts in parts, so that nothing is copied before the end. */
export type Piece = string | Slot | readonly Piece[];

/** Lays a tree of pieces out as parts, adjacent strings merged. */
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

/** A one-line text (subject, preview text) made fit for HTML. */
export const lineToHtml = (line: Parts): Piece =>
  line.map((part) => (typeof part === "string" ? escapeHtml(part) : { variable: part.variable, as: "html" as const }));
