import { base64Parts, hasEncoded } from "./decode.ts";

/** Replaces an erased text. */
export const ERASED = "[erased]";

/** A shorter id is matched as a whole value only: inside a text it is likely to mean something else. */
const SHORTEST_ID = 6;

/** The identifiers of a person, as texts contain them. */
export type Names = {
  /** Lower case. */
  emails: readonly string[];
  /** The team's user ids and the providers' ids. */
  ids: readonly string[];
};

/** Names without the ids that are too short to be unique. */
export const sureNames = ({ emails, ids }: Names): Names => ({
  emails,
  ids: ids.filter(({ length }) => length >= SHORTEST_ID),
});

/**
 * Texts (lower case) of which a body contains at least one if it names the person: the longest run of letters and digits
 * of each name, because JSON, HTML and URLs may encode every other character.
 */
export const hintsOf = ({ emails, ids }: Names): string[] =>
  [...emails, ...ids].map((name) =>
    (name.match(/[a-z0-9]+/gi) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a)).toLowerCase(),
  );

/** As `hintsOf`, for bodies that may have the names in base64 too. Nine times as many texts to look for. */
export const encodedHintsOf = (names: Names): string[] => {
  const { emails, ids } = sureNames(names);
  const forms = emails.flatMap((email) => [
    email,
    email.charAt(0).toUpperCase() + email.slice(1),
    encodeURIComponent(email.toWellFormed()),
  ]);
  const parts = [...forms, ...ids].flatMap(base64Parts).map((part) => part.toLowerCase());
  return [...new Set([...hintsOf(names), ...parts])];
};

/** Matches each string (with the colon after it if it is a key) and each number of a JSON text, nested to any depth. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Matches keys whose values are ids of people. */
const OF_ID = /(^|[_.-])(u?id|sub|user|customer|account|member|owner)$|I[dD]$/i;

/** Finds and erases the names of one person. A short id counts only as a whole value under a key that holds ids. */
export type Finder = {
  /** True when a value of a JSON text names the person: a string that contains an address or id, or a number that is an id. */
  isIn(json: string): boolean;
  /** A JSON text with the names erased from its values. Its keys stay. */
  outOf(json: string): string;
  /** A plain text with addresses and ids erased. */
  outOfText(text: string): string;
};

/** @param shortest fewest characters of an id that is also matched inside longer texts */
export const finderOf = ({ emails, ids }: Names, shortest = SHORTEST_ID): Finder => {
  const sure = ids.filter(({ length }) => length >= shortest);
  const addresses = patternOf(emails, "gi");
  const words = patternOf(sure, "g");
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
    // A name that is spread over several words, such as base64 in lines.
    return hasEncoded(rest, isInPlain) ? ERASED : rest;
  };
  // "1" is more often a count than a person: a short id needs a key that holds ids.
  const isWhole = (value: string, key: string) =>
    whole.has(value) && (value.length >= SHORTEST_ID || shortest < SHORTEST_ID || OF_ID.test(key));
  const outOfValue = (value: string, key: string): string => (isWhole(value, key) ? ERASED : outOfText(value));
  return {
    isIn: (json) => {
      let key = "";
      for (const [token, literal, colon] of json.matchAll(TOKENS)) {
        const value = literal === undefined ? token : textOf(literal);
        // In keys, only an address is certain to name the person.
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

/** A name as written, URL-encoded, and URL-encoded twice (a URL inside the query of another). */
const formsOf = (name: string): string[] => {
  const encoded = encodeURIComponent(name.toWellFormed());
  return [...new Set([name, encoded, encodeURIComponent(encoded)])];
};

/** A part of a text that is erased as a whole where the name in it is encoded. */
const WORD = /[^\s"'<>(){},]+/g;

/**
 * Matches the names where they are not part of a longer word. Dots and dashes around a name belong to the text ("…ada@b.co--"),
 * unless a letter follows or comes before: then it is another name.
 */
const patternOf = (names: readonly string[], flags: "g" | "gi"): RegExp | undefined => {
  if (names.length === 0) return undefined;
  const forms = names.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const any = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<=(?:^|[^\\w.+%-])[.-]*|%[0-9A-Fa-f]{2})(?:${any})(?!\\w|[.-]+\\w)`, flags);
};
