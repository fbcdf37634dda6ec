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
  ])("is read: %s", async (_, mail) => {
    expect(await read(mail)).toEqual(REPORT);
  });

  it.each([
    ["no file", "From: a@b.example\r\n\r\nhello", "it has no report"],
    ["another file", mailWith("x", "image/png", "x.png"), "it has no report"],
    ["another XML", mailWith("<html></html>", "text/xml", "x.xml"), "its report has another form"],
    ["no Report-ID", mailWith(xmlOf([], { id: "" }), "text/xml", "x.xml"), "its report has another form"],
    ["a broken gzip", mailWith(gzip(XML).subarray(0, 60), "application/gzip", "x.gz"), "not readable"],
    ["a broken zip", mailWith(zip(XML).subarray(0, 90), "application/zip", "x.zip"), "not readable"],
    ["nothing", "", "it has no report"],
  ])("is ignored: %s", async (_, mail, reason) => {
    expect(await read(mail)).toEqual({ ignored: expect.stringContaining(reason) });
  });

  it("that unpacks to more than 2 MB is ignored, without unpacking the rest", async () => {
    const bomb = " ".repeat(100_000_000);
    for (const mail of [
      mailWith(gzip(bomb), "application/gzip", "x.gz"),
      mailWith(zip(bomb), "application/zip", "x.zip"),
    ]) {
      const before = process.memoryUsage().rss;
      expect(await read(mail)).toEqual({ ignored: "its report is too large" });
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    }
  });

  it("has at most 1,000 records, and only those with an address and a count", async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({ source: `10.0.${n >> 8}.${n & 255}` }));
    expect(await read(mailWith(gzip(xmlOf(many)), "application/gzip", "x.gz"))).toMatchObject({
      rows: { length: 1_000 },
    });
    const odd = [{ source: "<b>x</b>" }, { source: "" }, { count: "0" }, { count: "-1" }, { count: "x" }, { count: 3 }];
    expect(await read(mailWith(gzip(xmlOf(odd)), "application/gzip", "x.gz"))).toMatchObject({
      rows: [{ mails: 3 }],
    });
  });
});
