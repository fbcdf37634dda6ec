import { remember } from "../../util/remember.ts";
import { error, locator, type Position, type Problem, warning } from "../problem.ts";
import lines from "./named-entities.json" with { type: "json" };

/** Named character references of HTML, section 13.5, without those that lack a semicolon. */
const named = remember(
  () =>
    new Map(
      lines
        .flatMap((line) => line.split(" "))
        .map((entry): [string, string] => {
          const [name = "", codes = ""] = entry.split(":");
          return [name, String.fromCodePoint(...codes.split(".").map((code) => Number.parseInt(code, 16)))];
        }),
    ),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));/g;

/** XML excludes control characters except tab and line ends, and surrogates. */
const isCharacter = (code: number): boolean =>
  code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff);

const character = (decimal?: string, hex?: string, name?: string): string | undefined => {
  if (name !== undefined) return named().get(name);
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
};

/** Decodes the named entities of HTML and numeric references. */
export const decode = (raw: string): string =>
  raw.replace(
    REFERENCE,
    (whole: string, decimal?: string, hex?: string, name?: string) => character(decimal, hex, name) ?? whole,
  );

/** Reports unknown entities and bare `&`. */
export const entityProblems = (raw: string, start: Position): Problem[] => {
  if (!raw.includes("&")) return [];
  const problems: Problem[] = [];
  const position = locator(raw, start);
  const known = new Map([...raw.matchAll(REFERENCE)].map((match) => [match.index, match]));
  for (let at = raw.indexOf("&"); at !== -1; at = raw.indexOf("&", at + 1)) {
    const match = known.get(at);
    if (match === undefined) {
      problems.push(warning(position(at), "bare_ampersand", "A bare & is read as text: write &amp;"));
    } else if (character(match[1], match[2], match[3]) === undefined) {
      const fix = "only the names of HTML, such as &nbsp; or &amp;, and numbers such as &#160; are known";
      problems.push(error(position(at), "unknown_entity", `Unknown entity ${match[0]}: ${fix}`));
    }
  }
  return problems;
};
