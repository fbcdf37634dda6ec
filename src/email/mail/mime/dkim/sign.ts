import { toBase64 } from "../../../../lib/util/hmac.ts";
import type { Message } from "../compose.ts";
import { fold } from "../fold.ts";
import { relaxedBody, relaxedField } from "./canonical.ts";

/**
 * Fields that a signature covers where the message has them. RFC 8058 section 4 requires both List-Unsubscribe fields.
 * X-Auto-Response-Suppress and Precedence are left out: relays may change them.
 */
const SIGNED = [
  "From",
  "To",
  "Cc",
  "Reply-To",
  "Subject",
  "Date",
  "Message-ID",
  "MIME-Version",
  "Content-Type",
  "Content-Transfer-Encoding",
  "Auto-Submitted",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
  "List-ID",
];

/**
 * Fields that are named once more than the message has them, so that another one cannot be added (RFC 6376 section 8.15). The fields of
 * lists are not among them where a mail has none, because a mailing list adds its own.
 */
const OVERSIGNED = ["From", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"];
const OVERSIGNED_IF_THERE = ["List-Unsubscribe", "List-Unsubscribe-Post"];

/** Characters of the signature in one line of the header. */
const PIECE = 72;

/**
 * `domain`: in A-labels. `key`: from `importSigningKey`. `now`: Unix ms. `without`: fields that a relay replaces, so that the
 * signature must not cover them.
 */
export type Signing = {
  domain: string;
  selector: string;
  key: CryptoKey;
  now: number;
  without?: readonly string[];
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where the body begins: after the first empty line. */
const bodyStart = (bytes: Uint8Array): number => {
  for (let at = 3; at < bytes.length; at++) {
    if (bytes[at] === 10 && bytes[at - 1] === 13 && bytes[at - 2] === 10 && bytes[at - 3] === 13) return at + 1;
  }
  return bytes.length;
};

/** The fields of a header by their names in lower case. */
const fieldsByName = (header: string): Map<string, string[]> => {
  const fields = header.split(/\r\n(?![ \t])/).filter((field) => field !== "");
  return Map.groupBy(fields, (field) => field.slice(0, field.indexOf(":")).trim().toLowerCase());
};

const signedNames = (fields: ReadonlyMap<string, readonly string[]>, without: readonly string[]): string[] =>
  SIGNED.filter((name) => !without.includes(name)).flatMap((name) => {
    const times = fields.get(name.toLowerCase())?.length ?? 0;
    const more = OVERSIGNED.includes(name) || (times > 0 && OVERSIGNED_IF_THERE.includes(name)) ? 1 : 0;
    return Array.from({ length: times + more }, () => name);
  });

/** The signed fields in the order of their names. Of several with one name, the last one is first (RFC 6376 section 5.4.2). */
const signedText = (fields: ReadonlyMap<string, readonly string[]>, names: readonly string[]): string => {
  const used = new Map<string, number>();
  let text = "";
  for (const name of names) {
    const key = name.toLowerCase();
    const nth = (used.get(key) ?? 0) + 1;
    used.set(key, nth);
    const field = fields.get(key)?.at(-nth);
    if (field !== undefined) text += `${relaxedField(field)}\r\n`;
  }
  return text;
};

/** `h=From:To:Cc` in pieces that a line can be folded between. */
const namesTokens = (names: readonly string[]): string[] =>
  names.map((name, n) => `${n === 0 ? " h=" : " "}${name}${n < names.length - 1 ? ":" : ";"}`);

const signatureOf = (bytes: string): string[] =>
  bytes.match(new RegExp(`.{1,${PIECE}}`, "g"))?.map((one) => ` ${one}`) ?? [];

/**
 * Signs a message by DKIM (RFC 6376): rsa-sha256, relaxed/relaxed, the whole body. The header is signed as it is sent.
 *
 * @returns the message with a DKIM-Signature in front of it
 */
export const signMessage = async (
  message: Message,
  { domain, selector, key, now, without = [] }: Signing,
): Promise<Message> => {
  const { bytes } = message;
  const start = bodyStart(bytes);
  const fields = fieldsByName(decoder.decode(bytes.subarray(0, start)));
  const names = signedNames(fields, without);
  const hash = await crypto.subtle.digest("SHA-256", relaxedBody(bytes.subarray(start)));
  const tokens = [
    " v=1;",
    " a=rsa-sha256;",
    " c=relaxed/relaxed;",
    ` d=${domain};`,
    ` s=${selector};`,
    ` t=${Math.floor(now / 1000)};`,
    ...namesTokens(names),
    ` bh=${toBase64(new Uint8Array(hash))};`,
  ];
  const unsigned = fold("DKIM-Signature", [...tokens, " b="]).slice(0, -"\r\n".length);
  const signed = encoder.encode(signedText(fields, names) + relaxedField(unsigned));
  const signature = toBase64(new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, signed)));
  const front = encoder.encode(`${unsigned}\r\n${signatureOf(signature).join("\r\n")}\r\n`);
  const whole = new Uint8Array(front.length + bytes.length);
  whole.set(front);
  whole.set(bytes, front.length);
  return { ...message, bytes: whole };
};
