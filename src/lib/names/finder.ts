import { base64Parts, hasEncoded } from "./decode.ts";

export const ERASED = "[erased]";

/** A shorter id counts only as a complete value, because inside a text it is ambiguous. */
const SHORTEST_ID = 6;

export type Names = {
  /** Lower case. */
  emails: readonly string[];
  ids: readonly string[];
};

/** Removes ids that are too short to be unique. */
export const sureNames = ({ emails, ids }: Names): Names => ({
  emails,
  ids: ids.filter(({ length }) => length >= SHORTEST_ID),
});

/**
 * Returns lower-case search texts: the longest run of letters and digits of each name. Other characters may be
 * encoded.
 */
export const hintsOf = ({ emails, ids }: Names): string[] =>
  [...emails, ...ids].map((name) =>
    (name.match(/[a-z0-9]+/gi) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a)).toLowerCase(),
  );

/** As `hintsOf`, plus base64; nine times as many texts. */
export const encodedHintsOf = (names: Names): string[] => {
  const { emails, ids } = sureNames(names);
  const forms = emails.flatMap((email) => [
    email,
    email.charAt(0).toUpperCase() + email.slice(1),
    email.toUpperCase(),
    encodeURIComponent(email.toWellFormed()),
  ]);
  const parts = [...forms, ...ids].flatMap(base64Parts).map((part) => part.toLowerCase());
  return [...new Set([...hintsOf(names), ...parts])];
};

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const OF_ID = /(^|[_.-])(u?id|sub|user|customer|account|member|owner)$|I[dD]$/i;

/** Finds and erases names of one person. A short id counts only under a key that holds ids. */
export type Finder = {
  /** True if a JSON value contains an address or id, or is a numeric id. */
  isIn(json: string): boolean;
  /** Erases names from JSON values. Keys stay. */
  outOf(json: string): string;
  outOfText(text: string): string;
};

/** @param shortest fewest characters of an id matched inside longer texts */
export const finderOf = ({ emails, ids }: Names, shortest = SHORTEST_ID): Finder => {
  const sure = ids.filter(({ length }) => length >= shortest);
  const addresses = patternOf(emails, "gi", AROUND_ADDRESS);
  const words = patternOf(sure, "g", AROUND_ID);
  const whole = new Set(ids);
  const outOfPlain = (text: string): string => {
    const left = addresses ? text.replaceAll(addresses, ERASED) : text;
    return words ? left.replaceAll(words, ERASED) : left;
  };
  const isInPlain = (text: string): boolean => outOfPlain(text) !== text;
  const outOfText = (text: string): string => {
    const left = outOfPlain(text);
    if (!hasEncoded(left, isInPlain)) return left;
    const rest = left.replaceAll(WORD, (word) => (hasEncoded(word, isInPlain) ? ERASED : word));
    return hasEncoded(rest, isInPlain) ? ERASED : rest;
  };
  const isWhole = (value: string, key: string) =>
    whole.has(value) && (value.length >= SHORTEST_ID || shortest < SHORTEST_ID || OF_ID.test(key));
  const outOfValue = (value: string, key: string): string => (isWhole(value, key) ? ERASED : outOfText(value));
  return {
    isIn: (json) => {
      let key = "";
      for (const [token, literal, colon] of json.matchAll(TOKENS)) {
        const value = literal === undefined ? token : textOf(literal);
        if (colon !== undefined) {
          key = value;
          if (value.includes("@") && addresses && value.search(addresses) >= 0) return true;
        } else if (literal === undefined ? isWhole(value, key) : outOfValue(value, key) !== value) return true;
      }
      return false;
    },
    outOf: (json) => {
      let key = "";
      return json.replaceAll(TOKENS, (token: string, literal: string | undefined, colon: string | undefined) => {
        if (colon !== undefined) key = textOf(literal ?? "");
        if (colon !== undefined) return token;
        if (literal === undefined) return isWhole(token, key) ? JSON.stringify(ERASED) : token;
        const text = textOf(literal);
        const left = outOfValue(text, key);
        return left === text ? token : JSON.stringify(left);
      });
    },
    outOfText,
  };
};

const textOf = (literal: string): string => {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1);
  }
};

/** URL-encoded twice: a URL inside the query of another. */
const formsOf = (name: string): string[] => {
  const encoded = encodeURIComponent(name.toWellFormed());
  return [...new Set([name, encoded, encodeURIComponent(encoded)])];
};

const WORD = /[^\s"'<>(){},]+/g;

/** Alternatives. */
type Around = readonly { before: string; after: string }[];

/** Dots and dashes around a name ("…ada@b.co--") are text, unless a letter follows or precedes them. */
const AROUND_ID: Around = [
  {
    before: "(?<=(?:^|[^\\w.+%-])[.-]*|%[0-9A-Fa-f]{2})",
    after: "(?!\\w|[.-]+\\w)",
  },
];

const CAPITAL_AFTER = "(?-i:(?<=[a-z])(?=[A-Z]))";

/**
 * Underscores are text too, and so is a word that a capital letter parts from the address ("toAda@b.coSent"). A word and
 * an underscore before it may be of a longer address, unless the text goes on after it ("id_ada@b.co_2026").
 */
const AROUND_ADDRESS: Around = [
  {
    before: "(?<=(?:^|[^\\w.+%-])[._-]*|%[0-9A-Fa-f]{2}|(?-i:[a-z0-9](?=[A-Z])))",
    after: `(?:(?![a-z0-9]|[.-]+\\w)|${CAPITAL_AFTER})`,
  },
  { before: "(?<=\\w_)", after: `(?:(?=_+[a-z0-9])|${CAPITAL_AFTER})` },
];

const patternOf = (names: readonly string[], flags: "g" | "gi", around: Around): RegExp | undefined => {
  if (names.length === 0) return undefined;
  const forms = names.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const any = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(around.map(({ before, after }) => `${before}(?:${any})${after}`).join("|"), flags);
};
