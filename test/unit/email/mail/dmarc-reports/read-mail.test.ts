import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readReportMail } from "../../../../../src/email/mail/dmarc-reports/read-mail.ts";
import { gzip, mailWith, xmlOf, zip } from "./reports.ts";

const read = (mail: string) => readReportMail(new TextEncoder().encode(mail));

const XML = xmlOf([
  { source: "192.0.2.1", count: 7 },
  { source: "2001:DB8::1", count: 2, dkim: "fail", spf: "fail", disposition: "reject", from: "Mail.Acme.Example." },
]);
const REPORT = {
  id: "Receiver r1",
  begin: 1_767_225_600_000,
  isCut: false,
  rows: [
    { domain: "mail.acme.example", source: "192.0.2.1", dkim: true, spf: true, disposition: "none", mails: 7 },
    { domain: "mail.acme.example", source: "2001:db8::1", dkim: false, spf: false, disposition: "reject", mails: 2 },
  ],
};

describe("an aggregate report by mail", () => {
  it.each([
    ["gzip", mailWith(gzip(XML), "application/gzip", "receiver.example!acme.example!1!2.xml.gz")],
    ["gzip under another type", mailWith(gzip(XML), "application/octet-stream", "report.xml.gz")],
    ["zip", mailWith(zip(XML), "application/zip", "report.zip")],
    ["zip, streamed", mailWith(zip(XML, { streams: true }), "application/x-zip-compressed", "report.zip")],
    ["zip, stored", mailWith(zip(XML, { stored: true }), "application/zip", "report.zip")],
    ["XML", mailWith(XML, "text/xml", "report.xml")],
    ["gzip without a type or name", mailWith(gzip(XML), "application/octet-stream", "report")],
    ["zip without a type or name", mailWith(zip(XML), "application/octet-stream", "report")],
    [
      "zip, a folder first",
      mailWith(zip(XML, {}, [{ name: "out/", text: "", stored: true }]), "application/zip", "r.zip"),
    ],
    [
      "zip, notes of macOS first",
      mailWith(zip(XML, {}, [{ name: "__MACOSX/._report.xml", text: "x" }]), "application/zip", "r.zip"),
    ],
    [
      "zip, another file first",
      mailWith(zip(XML, {}, [{ name: "readme.txt", text: "x" }]), "application/zip", "r.zip"),
    ],
    ["a prefix", mailWith(gzip(XML.replace(/<(\/?)(?=[a-z])/g, "<$1d:")), "application/gzip", "r.gz")],
    ["attributes", mailWith(gzip(XML.replace(/<(record|row)>/g, '<$1 xmlns="urn:x">')), "application/gzip", "r.gz")],
    ["UTF-16", mailWith(gzipSync(Buffer.from(`\ufeff${XML}`, "utf16le")), "application/gzip", "r.gz")],
  ])("is read: %s", async (_, mail) => {
    expect(await read(mail)).toEqual(REPORT);
  });

  it.each([
    ["another XML", mailWith("<html></html>", "text/xml", "x.xml"), "its report has another form"],
    ["no Report-ID", mailWith(xmlOf([], { id: "" }), "text/xml", "x.xml"), "its report has another form"],
    ["a broken gzip", mailWith(gzip(XML).fill(255, 12, 60), "application/gzip", "x.gz"), "its file is damaged"],
    ["a broken zip", mailWith(zip(XML).fill(255, 40, 90), "application/zip", "x.zip"), "its file is damaged"],
  ])("is not read: %s", async (_, mail, reason) => {
    expect(await read(mail)).toEqual({ unread: reason });
  });

  it.each([
    ["no file", "From: a@b.example\r\n\r\nhello"],
    ["another file", mailWith("x", "image/png", "x.png")],
    ["nothing", ""],
  ])("is none: %s", async (_, mail) => {
    expect(await read(mail)).toBeUndefined();
  });

  it.each([
    ["gzip", gzip, "gz"],
    ["zip", zip, "zip"],
  ])("is read to where it was cut: %s", async (_, pack, ending) => {
    const records = Array.from({ length: 900 }, (_, n) => ({
      count: n + 1,
      from: `${randomBytes(20).toString("hex")}.example`,
    }));
    const packed = pack(xmlOf(records));
    const report = await read(mailWith(packed.subarray(0, packed.length / 2), `application/${ending}`, `x.${ending}`));
    expect(report).toMatchObject({ id: "Receiver r1", isCut: true });
    const { length } = (report as { rows: unknown[] }).rows;
    expect(length).toBeGreaterThan(200);
    expect(length).toBeLessThan(900);
  });

  it("that unpacks to more than 2 MB is read up to them, without unpacking the rest", async () => {
    const bomb = " ".repeat(100_000_000);
    for (const mail of [
      mailWith(gzip(bomb), "application/gzip", "x.gz"),
      mailWith(zip(bomb), "application/zip", "x.zip"),
    ]) {
      const before = process.memoryUsage().rss;
      expect(await read(mail)).toEqual({ unread: "its report is too large" });
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    }
  });

  it("has at most 1,000 records, and only those with an address and a count", async () => {
    const large = xmlOf([{ source: "192.0.2.1" }]).replace("</feedback>", " ".repeat(3_000_000));
    expect(await read(mailWith(gzip(large), "application/gzip", "x.gz"))).toMatchObject({
      isCut: true,
      rows: [{ mails: 1 }],
    });
    const many = Array.from({ length: 1_200 }, (_, n) => ({ source: `10.0.${n >> 8}.${n & 255}` }));
    expect(await read(mailWith(gzip(xmlOf(many)), "application/gzip", "x.gz"))).toMatchObject({
      isCut: true,
      rows: { length: 1_000 },
    });
    const odd = [{ source: "<b>x</b>" }, { source: "" }, { count: "0" }, { count: "-1" }, { count: "x" }, { count: 3 }];
    expect(await read(mailWith(gzip(xmlOf(odd)), "application/gzip", "x.gz"))).toMatchObject({
      rows: [{ mails: 3 }],
    });
  });
});
