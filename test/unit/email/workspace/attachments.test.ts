import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mimeOf } from "../../../../src/email/mail/mime/mime-message.ts";
import { decodeAttachments, type GivenAttachment } from "../../../../src/email/workspace/sending/attachments.ts";
import { line, mail } from "../mail/mime/mails.ts";

const given = (changes: Partial<GivenAttachment> = {}): GivenAttachment => ({
  filename: "invoice.pdf",
  contentType: "application/pdf",
  data: "JVBERi0=",
  ...changes,
});
const faultOf = (...attachments: GivenAttachment[]) => {
  const result = decodeAttachments(attachments);
  return "fault" in result ? result.fault : undefined;
};

describe("attachments of a request", () => {
  it("are decoded", () => {
    expect(
      decodeAttachments([given(), given({ filename: "März 1.csv", contentType: "text/csv; charset=utf-8" })]),
    ).toEqual({
      attachments: [
        { filename: "invoice.pdf", contentType: "application/pdf", content: new Uint8Array([37, 80, 68, 70, 45]) },
        {
          filename: "März 1.csv",
          contentType: "text/csv; charset=utf-8",
          content: new Uint8Array([37, 80, 68, 70, 45]),
        },
      ],
    });
    expect(decodeAttachments([])).toEqual({ attachments: [] });
  });

  it.each([
    ["", "must not be empty"],
    [" ", "must not be empty"],
    ["x".repeat(256), "at most 255"],
    ["a\r\nX-Injected: 1.pdf", "control characters"],
    ["a\0.pdf", "control characters"],
    ["invoice_\u202efdp.exe", "characters that are not seen"],
    ["a/b.pdf", "without a path"],
    ["..\\b.pdf", "without a path"],
    ["..", "without a path"],
    ["setup.exe", "must not end in .exe"],
    ["Setup.EXE", "must not end in .exe"],
    ["setup.exe. ", "must not end in .exe"],
    ["invoice.pdf.js", "must not end in .js"],
    ["a.iso", "must not end in .iso"],
  ])("are refused with the name %j", (filename, message) => {
    expect(faultOf(given(), given({ filename }))).toEqual({
      path: "attachments.1.filename",
      message: expect.stringMatching(new RegExp(`^attachments\\.1\\.filename: .*${message}`)),
    });
  });

  it.each([
    ["pdf", "media type"],
    ["", "media type"],
    ["text/plain\r\nX: 1", "media type"],
    ["text/plain; name=a b", "media type"],
    ["message/rfc822", "application/octet-stream"],
    ["Multipart/mixed", "application/octet-stream"],
    ["application/x-msdownload", "programs or scripts"],
    ["Application/X-MSDownload; a=b", "programs or scripts"],
    ["text/javascript", "programs or scripts"],
  ])("are refused with the type %j", (contentType, message) => {
    expect(faultOf(given({ contentType }))).toEqual({
      path: "attachments.0.contentType",
      message: expect.stringMatching(new RegExp(`^attachments\\.0\\.contentType: .*${message}`)),
    });
  });

  it.each([
    ["no padding", "JVBERi0"],
    ["a line break", "JVBE\nRi0="],
    ["the alphabet of URLs", "_-8="],
    ["bits after the last octet", "JVBERi1="],
    ["a data: URL", "data:application/pdf;base64,JVBERi0="],
    ["padding inside", "JV==JV=="],
    ["other characters", "JVBE!i0="],
  ])("are refused when their data has %s", (_what, data) => {
    expect(faultOf(given({ data }))).toMatchObject({
      path: "attachments.0.data",
      message: expect.stringContaining("must be base64"),
    });
  });

  it("are refused when they are empty, too many or too large", () => {
    expect(faultOf(given({ data: "" }))).toMatchObject({
      path: "attachments.0.data",
      message: expect.stringContaining("empty"),
    });
    expect(faultOf(...Array.from({ length: 10 }, () => given()))).toBeUndefined();
    expect(faultOf(...Array.from({ length: 11 }, () => given()))).toEqual({
      path: "attachments",
      message: "attachments: there are 11, and a mail has at most 10.",
    });
    const data = Buffer.alloc(1_450_000).toString("base64");
    expect(faultOf(given({ data }), given({ data }))).toBeUndefined();
    expect(faultOf(given({ data }), given({ data }), given())).toEqual({
      path: "attachments",
      message: "attachments: they have 2900005 bytes together, and a mail has at most 2900000.",
    });
  });

  it("that are accepted can be composed, whatever their names and types are", () => {
    fc.assert(
      fc.property(line, fc.string({ maxLength: 30 }), (filename, subtype) => {
        const result = decodeAttachments([given({ filename, contentType: `application/${subtype}` })]);
        const attachments = "attachments" in result ? result.attachments : [];
        expect("message" in mimeOf(mail({ attachments }))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
