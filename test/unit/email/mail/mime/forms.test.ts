import { describe, expect, it } from "vitest";
import { wireAddress } from "../../../../../src/email/mail/mime/address.ts";
import { mimeOf } from "../../../../../src/email/mail/mime/mime-message.ts";
import { parameter } from "../../../../../src/email/mail/mime/parameters.ts";
import { encodeText } from "../../../../../src/email/mail/mime/transfer-encoding.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import { mail } from "./mails.ts";

const fieldOf = (one: Mail, name: string): string => {
  const result = mimeOf(one);
  if ("unsendable" in result) throw new Error(result.unsendable.message);
  const [head = ""] = new TextDecoder().decode(result.message.bytes).split("\r\n\r\n");
  const field = head.split(/\r\n(?![ \t])/).find((line) => line.startsWith(`${name}:`)) ?? "";
  return field.slice(name.length + 2);
};
const from = (name: string) => fieldOf(mail({ from: { name, address: "a@b.co" } }), "From");
const subject = (text: string) => fieldOf(mail({ subject: text }), "Subject");

describe("the name of a mailbox", () => {
  it.each([
    ["", "a@b.co"],
    ["Sam from Acme", "Sam from Acme <a@b.co>"],
    ["Acme, Inc.", '"Acme, Inc." <a@b.co>'],
    ['Sam "S" \\', '"Sam \\"S\\" \\\\" <a@b.co>'],
    ["Jürgen from Acme", "=?UTF-8?Q?J=C3=BCrgen_from_Acme?= <a@b.co>"],
    ["田中", "=?UTF-8?B?55Sw5Lit?= <a@b.co>"],
    ["=?UTF-8?Q?x?=", "=?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?= <a@b.co>"],
  ])("%j is written so that readers show it", (name, written) => {
    expect(from(name)).toBe(written);
  });
});

describe("a subject", () => {
  it.each([
    ["Your receipt", "Your receipt"],
    ["a  b", "a  b"],
    [" a", "=?UTF-8?Q?_a?="],
    ["what is =? in a text", "=?UTF-8?Q?what_is_=3D=3F_in_a_text?="],
    ["Shirt in Größe M", "=?UTF-8?B?U2hpcnQgaW4gR3LDtsOfZSBN?="],
  ])("%j is as plain as it can be", (text, written) => {
    expect(subject(text)).toBe(written);
  });

  it("is folded between words, and a long word is encoded", () => {
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`).join(" ");
    expect(subject(words)).toMatch(/^word0 .*\r\n word\d+ /);
    expect(subject(words).replaceAll("\r\n", "")).toBe(words);
    expect(subject("x".repeat(2_000))).toMatch(/^(=\?UTF-8\?Q\?x+\?=(\r\n )?)+$/);
  });
});

describe("an address", () => {
  it.each([
    ["Ada.L+x@Example.com", "Ada.L+x@Example.com"],
    ["ada@münchen.de", "ada@xn--mnchen-3ya.de"],
    ["grüße@münchen.de", "grüße@xn--mnchen-3ya.de"],
  ])("%s is %s on the wire", (given, wire) => {
    expect(wireAddress(given)).toBe(wire);
  });

  it.each([
    "",
    "ada",
    "@b.co",
    "ada@",
    "a b@c.co",
    '"a"@b.co',
    "a@b@c.co",
    "a@[127.0.0.1]",
    "a@b.co>",
    "<a@b.co",
    "a,b@c.co",
    "a@b..co",
    "a@-b.co",
    ".a@b.co",
    "a..b@c.co",
    "a@b.co\r\n",
    "a@münchen.de/x",
    `${"x".repeat(65)}@b.co`,
    `${"ü".repeat(33)}@b.co`,
    `a@${"b".repeat(64)}.${"c".repeat(250)}`,
    "a\u2028b@c.co",
    "a@b_c.co",
  ])("%j is none", (given) => {
    expect(wireAddress(given)).toBeUndefined();
    expect(mimeOf(mail({ to: [{ address: given }] }))).toMatchObject({ unsendable: { field: "to.0.address" } });
  });

  it("decides whether SMTPUTF8 is needed, in any field", () => {
    const needs = (changes: Parameters<typeof mail>[0]) => {
      const result = mimeOf(mail(changes));
      return "message" in result && result.message.needsSmtpUtf8;
    };
    expect(needs({ to: [{ name: "Grüße", address: "ada@münchen.de" }] })).toBe(false);
    for (const field of ["to", "cc", "bcc", "replyTo"] as const)
      expect([field, needs({ [field]: [{ address: "grüße@example.com" }] })]).toEqual([field, true]);
  });
});

describe("a file name", () => {
  it.each([
    ["a b.pdf", [' filename="a b.pdf"']],
    ["März.pdf", [" filename*=utf-8''M%C3%A4rz.pdf"]],
    ['a"b.pdf', [" filename*=utf-8''a%22b.pdf"]],
    ["x".repeat(70), [` filename*0*=utf-8''${"x".repeat(53)};`, ` filename*1*=${"x".repeat(17)}`]],
  ])("%j follows RFC 2231", (name, written) => {
    expect(parameter("filename", name)).toEqual(written);
  });
});

describe("a body", () => {
  it.each([
    ["plain ASCII", "Hello\nyou", "7bit", "Hello\r\nyou"],
    ["a long line", `${"x".repeat(80)}\n`, "quoted-printable", `${"x".repeat(75)}=\r\n${"x".repeat(5)}\r\n`],
    ["white space at an end", "a \nb\t", "quoted-printable", "a=20\r\nb=09"],
    ["lines that servers change", "From a\n.b\nc", "quoted-printable", "=46rom a\r\n=2Eb\r\nc"],
    ["a line like a boundary", "--=_x", "quoted-printable", "--=3D_x"],
    [
      "some other letters",
      "Viele Grüße an alle in Köln, Bonn",
      "quoted-printable",
      "Viele Gr=C3=BC=C3=9Fe an alle in K=C3=B6ln, Bonn",
    ],
    ["many other letters", "田中", "base64", "55Sw5Lit"],
    ["every kind of line break", "a\rb\r\nc\nd", "7bit", "a\r\nb\r\nc\r\nd"],
    ["a NUL", "abc\0defghi", "quoted-printable", "abc=00defghi"],
  ])("of %s is encoded", (_what, text, encoding, written) => {
    const body = encodeText(text);
    expect([body.encoding, new TextDecoder().decode(body.bytes)]).toEqual([encoding, written]);
  });
});
