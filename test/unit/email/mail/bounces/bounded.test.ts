import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundedMail } from "../../../../../src/email/mail/bounces/bounded.ts";
import { tracesIn } from "../../../../../src/email/mail/bounces/traces.ts";
import { withoutTags } from "../../../../../src/email/mail/bounces/without-tags.ts";
import { BOMBS } from "../../../../mail-door/bombs.ts";

const FOLDER = join(import.meta.dirname, "../../../../fixtures/email/bounces");
const bytes = (text: string) => new TextEncoder().encode(text);
const bounded = (text: string) => new TextDecoder().decode(boundedMail(bytes(text)));

describe("what a parser reads of a mail", () => {
  it("is the whole mail, for each real report", () => {
    for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".eml"))) {
      const mail = new Uint8Array(readFileSync(join(FOLDER, name)));
      expect(boundedMail(mail)).toEqual(mail);
    }
  });

  it.each(Object.entries(BOMBS))("has at most 200 kB, 5,000 lines and 50 parts: %s", (_, mail) => {
    const read = bounded(mail);
    expect(read.length).toBeLessThanOrEqual(200_000);
    expect(read.split("\n").length).toBeLessThanOrEqual(5_001);
    expect(read.match(/^--b\r?$/gm)?.length ?? 0).toBeLessThanOrEqual(50);
    const [header = ""] = read.split("\r\n\r\n");
    for (const field of header.split(/\r?\n(?![ \t])/)) expect(field.length).toBeLessThanOrEqual(2_000);
  });

  it("keeps the fields beside a long one, in the header and in a part", () => {
    const long = `X: ${"y".repeat(3_000)}\r\n z\r\n`;
    const mail = `From: <>\r\n${long}Content-Type: multipart/mixed; boundary="a b"\r\n\r\n--a b\r\n${long}A: b\r\n\r\nx\r\n--a b--\r\n`;
    expect(bounded(mail)).toBe(mail.replaceAll(long, ""));
  });

  it("has at most 50 parts where boundaries begin alike or within each other", () => {
    const declared = ["-".repeat(60), `${"-".repeat(60)}1`, "b", "bc"].map((one) => `X: boundary=${one}\r\n`).join("");
    for (const [line, lines] of [
      [`--${"-".repeat(60)}2`, 50],
      ["--bcd", 50],
      ["--bc--", 50],
      ["--c", 200],
      [`--${"-".repeat(59)}`, 200],
    ] as const) {
      const read = bounded(`From: <>\r\n${declared}\r\n${`${line}\r\n`.repeat(200)}`);
      expect(read.split(`${line}\r\n`).length - 1, line).toBe(lines);
    }
  });

  it("is not cut at lines that are no boundaries", () => {
    const mail = `From: <>\r\n\r\n${"-- \r\n--------\r\n".repeat(200)}end`;
    expect(bounded(mail)).toBe(mail);
  });
});

describe("signs of our mails", () => {
  const TOKEN = "acme_ep1abc_abcdefghijkl";
  it.each([
    ["a return path", `Return-Path: <bounce+${TOKEN}@envelope.example.com>`],
    ["a return path in capitals", `Original-Mail-From: <BOUNCE+${TOKEN.toUpperCase()}@ENVELOPE.EXAMPLE.COM>`],
    ["a result of SPF", `Authentication-Results: mx; spf=pass smtp.mailfrom=bounce+${TOKEN}@envelope.example.com`],
    ["soft line breaks", `Return-Path: <bounce+=\r\nacme_ep1=\r\nabc_abcdefghijkl@envelope.example.com>`],
  ])("are found in %s", (_, line) => {
    expect(tracesIn(bytes(`From: <>\r\n\r\n${line}\r\n`)).tokens).toEqual([TOKEN]);
  });

  it("are at most ten of each kind", () => {
    const { tokens, links, messageIds } = tracesIn(bytes(`${BOMBS["return paths"]}${BOMBS.links}`));
    expect([tokens.length, links.length, messageIds.length]).toEqual([10, 10, 0]);
  });
});

describe("HTML without tags", () => {
  it.each([
    ["<p>550 <b>no</b></p>", " 550  no  "],
    ["1 < 2", "1 < 2"],
    ["a <<b> c", "a   c"],
    [`<${"x".repeat(600)}>y`, `<${"x".repeat(600)}>y`],
    [`<${"x".repeat(600)}<i>y`, `<${"x".repeat(600)} y`],
  ])("%j is %j", (html, text) => {
    expect(withoutTags(html)).toBe(text);
  });
});
