const MAX_WORDS = 160;

const TOKEN = /[^\s<>()[\]"'`,;:=]+/g;

const DIGITS = /\d/g;

/** An address, or a queue id. */
const isOwn = (token: string): boolean =>
  token.includes("@") || (token.length >= 8 && /^[\w.-]+$/.test(token) && (token.match(DIGITS)?.length ?? 0) >= 3);

const IP = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Returns the words of a refusal without what differs from mail to mail: addresses, the part before the @ of the
 * recipient, and queue ids. Equal answers of a server have equal words.
 */
export const equalWords = (refusal: string, recipient: string): string => {
  const local = recipient.slice(0, Math.max(0, recipient.lastIndexOf("@"))).toLowerCase();
  const words = refusal.replace(TOKEN, (token) =>
    !IP.test(token) && (isOwn(token) || (local !== "" && token.toLowerCase() === local)) ? "…" : token,
  );
  return words.replace(/\s+/g, " ").trim().slice(0, MAX_WORDS);
};
