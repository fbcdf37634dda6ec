import { fromBase64 } from "../util/hmac.ts";

/** A link in HTML in JSON has three encodings. */
const MAX_DEPTH = 4;
const BASE64 = /[\w+/-]{12,}/g;
const ENCODED = /%[0-9a-f]{2}|&#?\w+;|\\|=[0-9a-f]{2}|[\w+/-]{12}/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  commat: "@",
  period: ".",
  plus: "+",
  hyphen: "-",
  dash: "-",
  lowbar: "_",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  sol: "/",
  colon: ":",
  percnt: "%",
  equals: "=",
};

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const percent = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

const entities = (text: string): string =>
  text
    .replaceAll(/&#(\d{1,7});?/g, (_, digits: string) => character(Number(digits)))
    .replaceAll(/&#x([0-9a-f]{1,6});?/gi, (_, digits: string) => character(Number.parseInt(digits, 16)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

const escapes = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gi, (_, four?: string, two?: string, one?: string) =>
    one === undefined ? character(Number.parseInt(four ?? two ?? "", 16)) : /[bfnrt]/.test(one) ? " " : one,
  );

const quoted = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => character(Number.parseInt(digits, 16)));

/** A word may stand right before base64, so each place in a group of four characters is tried. */
const base64 = (text: string): string[] =>
  (text.replaceAll(/\r?\n\s*/g, "").match(BASE64) ?? []).flatMap((run) =>
    [0, 1, 2, 3].flatMap((from) => {
      const whole = run.slice(from, run.length - ((run.length - from) % 4 === 1 ? 1 : 0));
      const bytes = fromBase64(whole.replaceAll("-", "+").replaceAll("_", "/"));
      return bytes ? [new TextDecoder().decode(bytes)] : [];
    }),
  );

/** True if a text contains something encoded: percent, HTML, JSON, quoted-printable or base64, also nested. */
export const hasEncoded = (text: string, isIn: (decoded: string) => boolean, depth = 0): boolean => {
  if (depth >= MAX_DEPTH || !ENCODED.test(text)) return false;
  const decoded = [percent(entities(escapes(text))), quoted(text)].filter((one) => one !== text);
  return [...decoded, ...base64(text)].some((one) => isIn(one) || hasEncoded(one, isIn, depth + 1));
};

/**
 * Parts of base64 that contain `name`, one for each offset in three bytes. Omits characters that depend on the
 * nearest parts.
 */
export const base64Parts = (name: string): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = new TextEncoder().encode(" ".repeat(before) + name.toWellFormed());
    const whole = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
