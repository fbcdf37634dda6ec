import type { VariablePosition } from "../language/variables.ts";
import type { Position } from "../problem.ts";
import { escapeHtml } from "./escape.ts";

/**
 * A part for a value. `as` is its escaping: `url` for attributes, `address` for plain text. `otherwise` replaces an invalid
 * image URL, already escaped.
 */
export type ValuePart = {
  variable: string;
  as: "html" | "url" | "address" | "text" | "line";
  at?: UrlPart;
  otherwise?: string;
};

/**
 * `start`: whole URL or scheme; `host`: after `://`; `inHost`: later in the host. `path`: a whole path, `query`: a whole
 * query or more of it, `part`: one part of either, or of a fragment. Without any: the whole rest of an address.
 */
export type UrlPart = "start" | "host" | "inHost" | "path" | "query" | "part" | "mailbox" | "phone";

/** A Worker image, split at the public address. `otherwise` replaces it if the address is unknown. */
type Served = { before: string; after: string; otherwise: string };

/** Start or end of a section with `showIf`, which is left out where all of these variables are empty. */
export type Edge = { section: "start" | "end"; of: readonly string[] };

export type Part = string | ValuePart | Served | Edge;

/** Compiled literals, value parts and images as JSON, without adjacent strings. */
export type Parts = readonly Part[];

/** Returns parts as they were written: `{data.name}` in place of a value. */
export const textOf = (parts: Parts): string =>
  parts.map((part) => (typeof part === "string" ? part : "variable" in part ? `{${part.variable}}` : "")).join("");

/** A compiled document with unique variables ("data.amount"), their `places`, and used library ids. */
export type Compiled = {
  html: Parts;
  text: Parts;
  variables: string[];
  positions: VariablePosition[];
  themes: string[];
  components: string[];
};

/** A lazy piece, so that drawing stops at the size limit. */
type Later = { at: Position; draw: () => Piece };

/** Nested output, copied only by `flatten`. */
export type Piece = Part | Later | readonly Piece[];

/** Characters; compiled mail and source must fit in a 2 MB row. */
export const MAX_DRAWN = 1_400_000;

/** A drawn mail. `beyond` is the position that exceeded `MAX_DRAWN`. */
export type Drawn = { parts: Parts; beyond?: Position };

const isList: (piece: Piece) => piece is readonly Piece[] = Array.isArray;

/** Flattens pieces up to `most` characters and merges strings. */
export const flattenMail = (piece: Piece, most = MAX_DRAWN): Drawn => {
  const parts: Part[] = [];
  let run = "";
  let length = 0;
  let at: Position = { line: 1, column: 1 };
  const visit = (item: Piece): void => {
    if (length > most) return;
    if (typeof item === "string") {
      run += item;
      length += item.length;
    } else if (isList(item)) {
      for (const child of item) visit(child);
    } else if ("variable" in item || "before" in item || "section" in item) {
      if (run !== "") parts.push(run);
      parts.push(item);
      run = "";
    } else {
      at = item.at;
      visit(item.draw());
    }
  };
  visit(piece);
  if (run !== "") parts.push(run);
  return length > most ? { parts, beyond: at } : { parts };
};

/** Flattens without a limit. */
export const flatten = (piece: Piece): Parts => flattenMail(piece, Number.POSITIVE_INFINITY).parts;

/** Returns unique variables in order of appearance. */
export const variablesOf = (...all: readonly Parts[]): string[] => [
  ...new Set(
    all.flat().flatMap((part) => {
      if (typeof part === "string" || "before" in part) return [];
      return "variable" in part ? [part.variable] : part.of;
    }),
  ),
];

export const literalOf = (part: Part): string => {
  if (typeof part === "string") return part;
  return "before" in part ? part.before + part.after : "";
};

/** Wraps a section with `showIf`. */
export const optional = (variables: readonly string[], piece: Piece): Piece =>
  variables.length === 0 ? piece : [{ section: "start", of: variables }, piece, { section: "end", of: variables }];

export const lineToHtml = (line: Parts): Piece =>
  line.map((part) => {
    if (typeof part === "string") return escapeHtml(part);
    return "variable" in part ? { variable: part.variable, as: "html" as const } : part;
  });
