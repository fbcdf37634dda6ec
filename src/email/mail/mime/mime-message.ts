import type { Attachment, Mail } from "../../types/mail-handover.ts";
import { needsUtf8, wireAddress } from "./address.ts";
import { type Unsendable, unsendable } from "./check.ts";
import { fold, tokensOf } from "./fold.ts";
import { type BackAddresses, headerOf } from "./header-fields.ts";
import { parameter } from "./parameters.ts";
import { base64, encodeText } from "./transfer-encoding.ts";

/**
 * A message with CRLF, not dot-stuffed. Only `envelope` contains Bcc recipients. `needsSmtpUtf8` requires RFC 6531.
 */
export type Message = {
  bytes: Uint8Array;
  envelope: { from: string; to: readonly string[] };
  needsSmtpUtf8: boolean;
};

/** Pieces avoid repeated copies. */
type Entity = { header: string; body: readonly (string | Uint8Array)[] };

const encoder = new TextEncoder();

const textEntity = (type: string, text: string): Entity => {
  const { encoding, bytes } = encodeText(text);
  const header = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`;
  return { header, body: [bytes] };
};

const attachmentEntity = ({ filename, contentType, content }: Attachment): Entity => ({
  header:
    fold("Content-Type", tokensOf(contentType)) +
    "Content-Transfer-Encoding: base64\r\n" +
    fold("Content-Disposition", [" attachment;", ...parameter("filename", filename)]),
  body: [base64(content)],
});

/** `=_` is absent from quoted-printable and base64; `encodeText` leaves no line `--=_` in 7bit. */
const multipart = (type: string, boundary: string, entities: readonly Entity[]): Entity => ({
  header: `Content-Type: multipart/${type};\r\n boundary="=_${boundary}"\r\n`,
  body: [
    ...entities.flatMap(({ header, body }, n) => [`${n > 0 ? "\r\n" : ""}--=_${boundary}\r\n${header}\r\n`, ...body]),
    `\r\n--=_${boundary}--\r\n`,
  ],
});

/** Text precedes its richer form (RFC 2046 section 5.1.4). */
const contentOf = ({ id, html, text, attachments }: Mail): Entity => {
  // A stable id gives retries the same boundaries.
  const boundary = id.replace(/[^A-Za-z0-9]/g, "").slice(-40);
  const plain = textEntity("text/plain", text);
  const content =
    html === "" ? plain : multipart("alternative", `a${boundary}`, [plain, textEntity("text/html", html)]);
  if (attachments.length === 0) return content;
  return multipart("mixed", `m${boundary}`, [content, ...attachments.map(attachmentEntity)]);
};

const joined = (pieces: readonly (string | Uint8Array)[]): Uint8Array => {
  const parts = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const ended = (body: readonly (string | Uint8Array)[]): readonly (string | Uint8Array)[] => {
  const last = body.at(-1) ?? "";
  return last.at(-1) === "\n" || last.at(-1) === 10 ? body : [...body, "\r\n"];
};

export type { BackAddresses };

/** Composes a deterministic message (RFC 5322, MIME). Values that no header can carry are permanently refused. */
export const mimeOf = (mail: Mail, back?: BackAddresses): { message: Message } | { unsendable: Unsendable } => {
  const fault = unsendable(mail);
  if (fault) return { unsendable: fault };
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc].map(({ address }) => wireAddress(address) ?? "");
  const from = wireAddress(mail.from.address) ?? "";
  const named = [mail.from, ...mail.to, ...mail.cc, ...mail.bcc, ...mail.replyTo];
  const { header, body } = contentOf(mail);
  return {
    message: {
      bytes: joined([`${headerOf(mail, back)}${header}\r\n`, ...ended(body)]),
      envelope: { from, to: [...new Set(recipients)] },
      needsSmtpUtf8: named.some(({ address }) => needsUtf8(address)),
    },
  };
};
