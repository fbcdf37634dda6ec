import { UNTRACKED } from "../language/links.ts";
import { fullColor } from "../language/theme.ts";
import { splitVariables } from "../language/variables.ts";
import { decode } from "../parse/entities.ts";
import type { ElementNode } from "../parse/tree.ts";
import { escapeHtml, escapeUrl } from "./escape.ts";
import type { Piece, Slot, UrlPart } from "./parts.ts";

// Reads attributes of a tree that `check` has passed: their values have the right kind and range.

/** An attribute as written, entities included; undefined when absent. */
export const rawAttribute = (element: ElementNode, name: string): string | undefined =>
  element.attributes.find((attribute) => attribute.name === name)?.raw.trim();

/** An attribute's text; undefined when absent. */
export const textAttribute = (element: ElementNode, name: string): string | undefined => {
  const raw = rawAttribute(element, name);
  return raw === undefined ? undefined : decode(raw);
};

/** The mark of a link with `notrack`, for its tag. */
export const untracked = (element: ElementNode): string =>
  textAttribute(element, "notrack") === "true" ? UNTRACKED : "";

/** An attribute's number, its unit dropped. */
export const numberAttribute = (element: ElementNode, name: string, otherwise: number): number => {
  const text = textAttribute(element, name);
  return text === undefined ? otherwise : Number.parseFloat(text);
};

/** An attribute's colour as `#rrggbb`; undefined when absent. */
export const optionalColor = (element: ElementNode, name: string): string | undefined => {
  const text = textAttribute(element, name);
  return text === undefined ? undefined : fullColor(text);
};

const LITERAL: Readonly<Record<Slot["as"], (text: string) => string>> = {
  html: escapeHtml,
  url: escapeUrl,
  address: (text) => text,
  text: (text) => text,
  line: (text) => text,
};

/** A raw text with its variables as slots, and its literals escaped for their place. */
export const withSlots = (raw: string, as: Exclude<Slot["as"], "url" | "address">): Piece =>
  splitVariables(raw).map((piece) =>
    typeof piece === "string" ? LITERAL[as](decode(piece)) : { variable: piece.name, as },
  );

/** A raw URL with its variables as slots. */
export const urlWithSlots = (raw: string, as: "url" | "address"): Piece => {
  let before = "";
  return splitVariables(raw).map((piece) => {
    const place = urlPart(before);
    // In the host or behind it, a variable counts as a character.
    before += typeof piece === "string" ? decode(piece) : "x";
    if (typeof piece === "string") return LITERAL[as](decode(piece));
    return { variable: piece.name, as, ...(place === undefined ? {} : { at: place }) };
  });
};

/** The part of a URL that comes behind these characters of it. */
const urlPart = (before: string): UrlPart | undefined => {
  if (before === "") return "start";
  if (/^https?:\/\/$/i.test(before)) return "host";
  return /^https?:\/\/[^/?#\\]*$/i.test(before) ? "inHost" : undefined;
};

/** The address of a picture: `dynamicSrc`, and `src` where the value of `dynamicSrc` is no web address. */
export const pictureAddress = (element: ElementNode): Piece => {
  const source = escapeUrl(textAttribute(element, "src") ?? "");
  const dynamic = rawAttribute(element, "dynamicSrc");
  if (dynamic === undefined) return source;
  const pieces = splitVariables(dynamic);
  const [only] = pieces;
  if (pieces.length > 1 || only === undefined || typeof only === "string") return urlWithSlots(dynamic, "url");
  return { variable: only.name, as: "url", otherwise: source };
};
