import fc from "fast-check";
import PostalMime, { type Address, type Email } from "postal-mime";
import { describe, expect, it } from "vitest";
import { type Message, mimeOf } from "../../../../../src/email/mail/mime/mime-message.ts";
import type { Mail, Mailbox } from "../../../../../src/email/types/mail-handover.ts";
import { line, mail, mails } from "./mails.ts";

const composed = (one: Mail): Message => {
  const result = mimeOf(one);
  if ("unsendable" in result) throw new Error(result.unsendable.message);
  return result.message;
};
const textOf = (one: Mail): string =>
  new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(composed(one).bytes);
const headOf = (one: Mail): string => textOf(one).split("\r\n\r\n")[0] ?? "";
const parsed = (one: Mail): Promise<Email> => PostalMime.parse(composed(one).bytes);

const clean = (text: string) => text.toWellFormed().replace(/\r\n?|\n/g, "\n");
/** A parser ends a body with a line break. */
const bodyOf = (text: string | undefined) => (text ?? "").replace(/\r\n/g, "\n");
const trimmed = (text: string) => text.trim().replace(/\s+/g, " ");

const meant = (boxes: readonly Mailbox[]) =>
  boxes.map(({ name = "", address }) => ({ name: trimmed(clean(name)), local: address.split("@")[0] }));
const found = (boxes: readonly Address[] | undefined) =>
  (boxes ?? []).map(({ name, address }) => ({ name: trimmed(name), local: address?.split("@")[0] }));

const NAMES = [
  "Message-ID",
  "Date",
  "From",
  "To",
  "Cc",
  "Reply-To",
  "Subject",
  "MIME-Version",
  "Auto-Submitted",
  "X-Auto-Response-Suppress",
  "Feedback-ID",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
  "List-ID",
  "Precedence",
  "Content-Type",
  "Content-Transfer-Encoding",
];

describe("any mail", () => {
  it("arrives as it was meant, read by postal-mime", async () => {
    await fc.assert(
      fc.asyncProperty(mails, async (one) => {
        // postal-mime decodes encoded words in file names, contrary to RFC 2231.
        fc.pre(one.attachments.every(({ filename }) => !filename.includes("=?")));
        const email = await parsed(one);
        expect(trimmed(email.subject ?? "")).toBe(trimmed(clean(one.subject)));
        expect(email.messageId).toBe(one.messageId);
        expect(email.date).toBe(new Date(Math.floor(one.date / 1000) * 1000).toISOString());
        expect(found(email.from ? [email.from] : [])).toEqual(meant([one.from]));
        for (const list of ["to", "cc", "replyTo"] as const) expect(found(email[list])).toEqual(meant(one[list]));
        expect(email.bcc).toBeUndefined();
        expect(bodyOf(email.text).trimEnd()).toBe(clean(one.text).trimEnd());
        if (one.html !== "") expect(bodyOf(email.html).trimEnd()).toBe(clean(one.html).trimEnd());
        expect(
          email.attachments.map(({ filename, mimeType, content }) => [
            filename,
            mimeType,
            [...new Uint8Array(content as ArrayBuffer)],
          ]),
        ).toEqual(
          one.attachments.map(({ filename, contentType, content }) => [
            clean(filename),
            contentType.split(";")[0],
            [...content],
          ]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("has only the fields it should have, each once, whatever its values are", () => {
    fc.assert(
      fc.property(mails, (one) => {
        const names = headOf(one)
          .split(/\r\n(?![ \t])/)
          .map((field) => field.slice(0, field.indexOf(":")));
        const absent = new Set([
          ...(one.cc.length > 0 ? [] : ["Cc"]),
          ...(one.replyTo.length > 0 ? [] : ["Reply-To"]),
          ...(one.class === "marketing" ? [] : NAMES.filter((name) => /^List-|Precedence/.test(name))),
          ...(one.html === "" && one.attachments.length === 0 ? [] : ["Content-Transfer-Encoding"]),
        ]);
        expect(names).toEqual(NAMES.filter((name) => !absent.has(name)));
      }),
      { numRuns: 50 },
    );
  });

  it("keeps the limits of lines, has CRLF line breaks only, and is ASCII unless it needs SMTPUTF8", () => {
    fc.assert(
      fc.property(mails, (one) => {
        const { needsSmtpUtf8 } = composed(one);
        const text = textOf(one);
        expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n|\0/);
        if (!needsSmtpUtf8) expect(text).toMatch(/^[\t\r\n -~]*$/);
        const [head = "", ...body] = text.split("\r\n\r\n");
        for (const one of head.split("\r\n")) {
          expect(one.length).toBeLessThanOrEqual(998);
          if (!/[@]|https:/.test(one)) expect(one.length).toBeLessThanOrEqual(78);
          expect(one).not.toMatch(/^\s*$/);
          for (const [word] of one.matchAll(/=\?[^?]+\?[QB]\?[^?]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75);
        }
        for (const one of body.join("\r\n").split("\r\n")) expect(one.length).toBeLessThanOrEqual(78);
        expect(text.endsWith("\r\n")).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("is the same message each time, and its envelope has every recipient once", () => {
    fc.assert(
      fc.property(mails, (one) => {
        const { bytes, envelope } = composed(one);
        expect(Buffer.compare(composed(structuredClone(one)).bytes, bytes)).toBe(0);
        const text = textOf(one);
        expect(new Set(envelope.to).size).toBe(envelope.to.length);
        expect(envelope.to.length).toBeLessThanOrEqual(one.to.length + one.cc.length + one.bcc.length);
        for (const { address } of one.bcc) {
          const name = address.split("@")[0] ?? "";
          expect(envelope.to.some((to) => to.startsWith(name))).toBe(true);
          expect(text).not.toContain(name);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("gets no new header through any field: a control character is refused, with the name of the field", () => {
    const hostile = fc.constantFrom("\r\nX-Injected: 1", "\nBcc: x@evil.example", "\r", "\0", "\u0085", "\u0007", "\t");
    const fields: Record<string, (value: string) => Mail> = {
      subject: (value) => mail({ subject: value }),
      "from.name": (name) => mail({ from: { name, address: "a@b.co" } }),
      "from.address": (local) => mail({ from: { address: `a${local}@b.co` } }),
      "to.0.name": (name) => mail({ to: [{ name, address: "a@b.co" }] }),
      "to.0.address": (domain) => mail({ to: [{ address: `a@b${domain}.co` }] }),
      "cc.1.address": (end) => mail({ cc: [{ address: "a@b.co" }, { address: `a@b.co${end}` }] }),
      "bcc.0.address": (start) => mail({ bcc: [{ address: `${start}a@b.co` }] }),
      "replyTo.0.name": (name) => mail({ replyTo: [{ name, address: "a@b.co" }] }),
      messageId: (value) => mail({ messageId: `<a${value}@b.co>` }),
      "attachments.0.filename": (filename) =>
        mail({ attachments: [{ filename, contentType: "a/b", content: new Uint8Array() }] }),
      "attachments.0.contentType": (end) =>
        mail({ attachments: [{ filename: "a", contentType: `a/b${end}`, content: new Uint8Array() }] }),
      listId: (end) => ({ ...mail(), class: "marketing", listId: `a.b${end}`, unsubscribeUrl: "https://a.example/u" }),
      unsubscribeUrl: (end) => ({
        ...mail(),
        class: "marketing",
        listId: "a.b",
        unsubscribeUrl: `https://a.example/${end}`,
      }),
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(fields)), hostile, line, line, (field, evil, before, after) => {
        const result = mimeOf(fields[field]?.(`${before}${evil}${after}`) as Mail);
        expect(result).toMatchObject({ unsendable: { field, message: expect.stringContaining(field) } });
      }),
      { numRuns: 1_000 },
    );
  });
});
