import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReport, type Report } from "../../../../../src/email/mail/bounces/parse.ts";
import { tokenIn } from "../../../../../src/email/mail/bounces/return-path-token.ts";
import { tracesIn } from "../../../../../src/email/mail/bounces/traces.ts";

const FOLDER = join(import.meta.dirname, "../../../../fixtures/email/bounces");
const expected = JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as Record<string, Partial<Report>>;
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".eml"));
const read = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const RETURN_PATH = "bounce+acme_ep1abc_abcdefghijkl@envelope.example.com";

describe("a bounce or complaint", () => {
  it("has an expectation, and there are at least 40", () => {
    expect(files.map((name) => name.replace(/\.eml$/, "")).sort()).toEqual(Object.keys(expected).sort());
    expect(files.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(expected))("is classified: %s", async (name, { feedback, ignored }) => {
    const report = await parseReport(read(`${name}.eml`));
    expect(report.feedback.map(({ message: _, ...rest }) => rest)).toEqual(feedback);
    expect(report.ignored).toBe(ignored);
  });

  it.each(["postfix-unknown-user", "arf-abuse", "arf-redacted"])("names the return path of the mail: %s", (name) => {
    expect(tracesIn(read(`${name}.eml`)).tokens).toContain(tokenIn(RETURN_PATH));
  });

  it("keeps the words of the server", async () => {
    const { feedback } = await parseReport(read("postfix-unknown-user.eml"));
    expect(feedback[0]?.message).toBe("550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown");
  });
});

describe("any other bytes", () => {
  const mails = files.map(read);
  const mutated = fc
    .tuple(
      fc.constantFrom(...mails),
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 40 }), fc.nat(60))),
    )
    .map(([mail, edits]) =>
      edits.reduce((bytes, [place, inserted, removed]) => {
        const at = Math.floor(place * bytes.length);
        return Uint8Array.from([...bytes.slice(0, at), ...inserted, ...bytes.slice(at + removed)]);
      }, mail),
    );

  it("never throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, fc.uint8Array({ maxLength: 5_000 })), async (bytes) => {
        const report = await parseReport(bytes);
        expect(Array.isArray(report.feedback)).toBe(true);
        expect(report.feedback.length === 0).toBe(report.ignored !== undefined);
        for (const { message } of report.feedback) expect(message.length).toBeLessThanOrEqual(500);
      }),
      { numRuns: 400 },
    );
  });

  it("that are nested deep, long or hostile are read in bounded time", async () => {
    const nested = Array.from(
      { length: 2_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
    ).join("");
    const notice = (text: string) => `From: mailer-daemon@x.example\r\nSubject: failure\r\n\r\n${text}`;
    const status = (text: string) =>
      `Content-Type: multipart/report; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${text}\r\n--b--`;
    const hostile = [
      nested,
      `${"X-Long: a\r\n".repeat(30_000)}\r\n`,
      ...["a@b ", "mailbox ", "user ", "550 ", "unknown ", "message size ", " ", "5.1.1.", "quota "].map((word) =>
        notice(word.repeat(100_000)),
      ),
      status("Final-Recipient: rfc822; a@b.example\r\nStatus: 5.1.1\r\n\r\n".repeat(10_000)),
      status(`Diagnostic-Code: ${"user ".repeat(100_000)}\r\nStatus: 5.0.0`),
      status(`Status: 5.0.0\r\n${" \r\n".repeat(50_000)}`),
    ];
    for (const mail of hostile) {
      const start = process.threadCpuUsage();
      const { feedback } = await parseReport(new TextEncoder().encode(mail));
      expect(feedback.length).toBeLessThanOrEqual(200);
      // About 0.1 s each. Quadratic time would take minutes.
      expect(process.threadCpuUsage(start).user / 1e6).toBeLessThan(5);
    }
  });
});
