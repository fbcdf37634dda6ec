import { error, locator, type Position, type Problem, warning } from "../problem.ts";

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));/g;

/** XML excludes control characters except tab and line ends, and surrogates. */
const isCharacter = (code: number): boolean =>
  code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff);

const character = (decimal?: string, hex?: string, name?: string): string | undefined => {
  if (name !== undefined) return NAMED.get(name);
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
};

/** Decodes the five XML entities and numeric references. */
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
      const fix = "only &amp; &lt; &gt; &quot; &apos; and numbers such as &#160; are known";
      problems.push(error(position(at), "unknown_entity", `Unknown entity ${match[0]}: ${fix}`));
    }
  }
  return problems;
};
