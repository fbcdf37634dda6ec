import type { VariablePlace } from "../language/variables.ts";
import type { Position } from "../problem.ts";
import { escapeHtml } from "./escape.ts";

/**
 * A place for a value. `as` says how `fill` escapes the value there: `url` in an attribute, `address` for a URL in the text
 * body. `at`: the part of a URL that the value begins; undefined behind the host. `otherwise`: what an address of a picture
 * becomes, already escaped, where the value is no web address.
 */
export type Slot = {
  variable: string;
  as: "html" | "url" | "address" | "text" | "line";
  at?: UrlPart;
  otherwise?: string;
};

/** `start`: the whole URL or its scheme; `host`: directly behind `://`; `inHost`: behind other characters of the host. */
export type UrlPart = "start" | "host" | "inHost";

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

/**
 * A piece that is drawn when it is reached, so that nothing is drawn behind the end of the largest mail. `at`: its place
 * in the document.
 */
export type Later = { at: Position; draw: () => Piece };

/** Output of the renderers: nested parts, so that nothing is copied before `flatten`. */
export type Piece = Part | Later | readonly Piece[];

/** Most characters of a mail. Compiled, and with its source, it has to fit a row of 2 MB. */
export const MAX_DRAWN = 1_400_000;

/** A drawn mail. `beyond`: the place where it became larger than `MAX_DRAWN`; its parts end there. */
export type Drawn = { parts: Parts; beyond?: Position };

const isList: (piece: Piece) => piece is readonly Piece[] = Array.isArray;

/** Flattens a tree of pieces into parts, with adjacent strings merged. It stops where it has more than `most` characters. */
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
    } else if ("variable" in item || "before" in item) {
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

/** Flattens a piece of any size. */
export const flatten = (piece: Piece): Parts => flattenMail(piece, Number.POSITIVE_INFINITY).parts;

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
