import { toBase64 } from "../../../../lib/util/hmac.ts";
import { fold } from "../fold.ts";
import type { Message } from "../mime-message.ts";
import { relaxedBody, relaxedField } from "./canonical.ts";

/**
 * RFC 8058 section 4 requires both List-Unsubscribe fields, RFC 9477 section 3.1 CFBL-Address, and Gmail Feedback-ID.
 * Mail providers may change X-Auto-Response-Suppress and Precedence, so both are omitted.
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
  "Feedback-ID",
  "CFBL-Address",
];

/**
 * Oversigned fields prevent additions (RFC 6376 section 8.15). Absent list fields are excluded, because mailing lists
 * add them.
 */
const OVERSIGNED = ["From", "To", "Cc", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"];
const OVERSIGNED_IF_THERE = ["List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID", "CFBL-Address"];

const PIECES = /.{1,72}/g;

/** `domain` has A-labels; `now` is Unix ms. `without` lists fields that the mail provider replaces. */
export type Signing = {
  domain: string;
  selector: string;
  key: CryptoKey;
  now: number;
  without?: readonly string[];
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const bodyStart = (bytes: Uint8Array): number => {
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (at >= 3 && bytes[at - 1] === 13 && bytes[at - 2] === 10 && bytes[at - 3] === 13) return at + 1;
  }
  return bytes.length;
};

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

/** Duplicates are signed last first (RFC 6376 section 5.4.2). */
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

const namesTokens = (names: readonly string[]): string[] =>
  names.map((name, n) => `${n === 0 ? " h=" : " "}${name}${n < names.length - 1 ? ":" : ";"}`);

const signatureOf = (bytes: string): string[] => bytes.match(PIECES)?.map((one) => ` ${one}`) ?? [];

/** Signs by DKIM (RFC 6376): rsa-sha256, relaxed/relaxed, whole body. */
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
