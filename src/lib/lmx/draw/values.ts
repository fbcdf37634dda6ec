import { UNTRACKED } from "../language/links.ts";
import { fullColor } from "../language/theme.ts";
import { splitVariables } from "../language/variables.ts";
import { decode } from "../parse/entities.ts";
import type { ElementNode } from "../parse/tree.ts";
import { allowed, allowedInUrl, escapeHtml, escapeUrl } from "./escape.ts";
import type { Piece, UrlPart, ValuePart } from "./parts.ts";

// Values already passed `check`.

/** Returns a raw attribute, entities included. */
export const rawAttribute = (element: ElementNode, name: string): string | undefined =>
  element.attributes.find((attribute) => attribute.name === name)?.raw.trim();

export const textAttribute = (element: ElementNode, name: string): string | undefined => {
  const raw = rawAttribute(element, name);
  return raw === undefined ? undefined : decode(raw);
};

export const untracked = (element: ElementNode): string =>
  textAttribute(element, "notrack") === "true" ? UNTRACKED : "";

/** Returns a number without unit. */
export const numberAttribute = (element: ElementNode, name: string, otherwise: number): number => {
  const text = textAttribute(element, name);
  return text === undefined ? otherwise : Number.parseFloat(text);
};

/** Returns a color as `#rrggbb`. */
export const optionalColor = (element: ElementNode, name: string): string | undefined => {
  const text = textAttribute(element, name);
  return text === undefined ? undefined : fullColor(text);
};

const LITERAL: Readonly<Record<ValuePart["as"], (text: string) => string>> = {
  html: escapeHtml,
  url: escapeUrl,
  address: allowedInUrl,
  text: allowed,
  line: allowed,
};

export const withValueParts = (raw: string, as: Exclude<ValuePart["as"], "url" | "address">): Piece =>
  splitVariables(raw).map((piece) =>
    typeof piece === "string" ? LITERAL[as](decode(piece)) : { variable: piece.name, as },
  );

export const urlWithSlots = (raw: string, as: "url" | "address"): Piece => {
  let before = "";
  const pieces = splitVariables(raw);
  return pieces.map((piece, index) => {
    const next = pieces[index + 1];
    const after = next === undefined ? undefined : typeof next === "string" ? decode(next) : "x";
    const urlPlace = urlPart(before, after);
    // A variable in or after the host counts as a character.
    before += typeof piece === "string" ? decode(piece) : "x";
    if (typeof piece === "string") return LITERAL[as](decode(piece));
    return { variable: piece.name, as, ...(urlPlace === undefined ? {} : { at: urlPlace }) };
  });
};

/** `after`: the literal that follows; undefined at the end. A variable in or after the host is "x" in `before`. */
const urlPart = (before: string, after: string | undefined): UrlPart | undefined => {
  if (before === "") return "start";
  if (/^https?:\/\/$/i.test(before)) return "host";
  if (/^https?:\/\/[^/?#\\]*$/i.test(before)) return "inHost";
  if (/^tel:/i.test(before)) return "phone";
  if (/^mailto:[^?]*$/i.test(before)) return "mailbox";
  const isLast = after === undefined;
  if (before.includes("#")) return isLast && before.endsWith("#") ? "query" : "part";
  if (/[?&]$/.test(before)) return after?.startsWith("=") ? "part" : "query";
  if (/^(?:https?:\/\/[^/?#\\]*|x)\/$/i.test(before)) return isLast ? undefined : /^[?#]/.test(after) ? "path" : "part";
  return before === "x" ? undefined : "part";
};

/** Returns `dynamicSrc`, with `src` as fallback for invalid values. */
export const pictureAddress = (element: ElementNode): Piece => {
  const source = escapeUrl(textAttribute(element, "src") ?? "");
  const dynamic = rawAttribute(element, "dynamicSrc");
  if (dynamic === undefined) return source;
  const pieces = splitVariables(dynamic);
  const [only] = pieces;
  if (pieces.length > 1 || only === undefined || typeof only === "string") return urlWithSlots(dynamic, "url");
  return { variable: only.name, as: "url", otherwise: source };
};

/** Returns the variables of `showIf`: an element is left out where all of them are empty. */
export const conditionOf = (element: ElementNode): string[] =>
  splitVariables(rawAttribute(element, "showIf") ?? "").flatMap((piece) =>
    typeof piece === "string" ? [] : [piece.name],
  );
