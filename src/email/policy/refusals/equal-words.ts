/** Characters of a refusal that are compared, and of its words. */
const MAX_READ = 1_000;
const MAX_WORDS = 160;

const TOKEN = /[^\s<>()[\]{}"'`,;:=]+/g;

const REPLY = /^[45][0-5]\d$/;
const STATUS = /^[245]\.\d\.\d{1,3}$/;

/** Host names have one case; `RESOLVER.ADR.RecipientNotFound` is a word. */
const HOST = /^(?:[a-z-]+(?:\.[a-z-]+)+|[A-Z-]+(?:\.[A-Z-]+)+)$/;
const HEX = /^[a-f]{6,}$/i;

/** Addresses, host names, times, scores and ids. */
const isOwn = (token: string): boolean => /[\d@…]/.test(token) || HOST.test(token) || HEX.test(token);

/** An id of capitals; in a refusal of capitals it is a word. */
const SHOUTED = /(?<![A-Z] )(?<![\w.-])[A-Z]{8,}(?![\w.-])(?! [A-Z]{2})/g;

/**
 * Returns the words of a refusal with its reply code and status, and without what differs from mail to mail: whatever has
 * a digit, addresses, host names, ids, and the part before the @ of the recipient. Equal answers have equal words.
 */
export const equalWords = (refusal: string, recipient: string): string => {
  const local = recipient.slice(0, Math.max(0, recipient.lastIndexOf("@"))).toLowerCase();
  const text = refusal.slice(0, MAX_READ).replace(/(?<![\w.-])([45]\d\d)-(?=\S)/g, "$1 ");
  const codes = (text.match(TOKEN) ?? []).map((token) => token.replace(/^#/, ""));
  const given = [codes.find((code) => REPLY.test(code)), codes.find((code) => STATUS.test(code))];
  const isKept = (token: string): boolean => {
    if (given.includes(token.replace(/^#/, ""))) return true;
    const word = token.replace(/[.!?]+$/, "");
    return !isOwn(word) && (local === "" || word.toLowerCase() !== local);
  };
  return text
    .replace(TOKEN, (token) => (isKept(token) ? token : "…"))
    .replace(SHOUTED, "…")
    .replace(/…(?:[\s.:;,/_-]{0,5}…)+/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);
};
