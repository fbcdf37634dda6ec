import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readSample, type SampleFile, sampleFiles } from "../../scripts/lib/sample-files.ts";
import { type DkimKey, generateDkimKey, importSigningKey } from "../../src/email/mail/mime/dkim/keys.ts";
import { signMessage } from "../../src/email/mail/mime/dkim/sign.ts";
import { mimeOf } from "../../src/email/mail/mime/mime-message.ts";
import type { Mail, Mailbox } from "../../src/email/types/mail-handover.ts";
import { mail, mails } from "../unit/email/mail/mime/mails.ts";
import { sampleMail } from "../unit/lib/lmx/sample-mails.ts";
import { installTools, PYTHON } from "./debian.ts";
import { newsletter } from "./newsletter.ts";

const confirmationFile = readSample("opt-in/confirm-subscription.lmx");

const RUNS = 300;
/** In the past: dkimpy refuses signatures of the future. */
const SIGNED_AT = Date.UTC(2026, 0, 2);

let key: DkimKey;
let signingKey: CryptoKey;
beforeAll(async () => {
  key = await generateDkimKey();
  signingKey = await importSigningKey(key.pkcs8);
});

const written = async (one: Mail): Promise<Uint8Array> => {
  const result = mimeOf(one);
  if ("unsendable" in result) throw new Error(result.unsendable.message);
  const signing = { domain: "acme.example", selector: "s1", key: signingKey, now: SIGNED_AT };
  return (await signMessage(result.message, signing)).bytes;
};

type Read = {
  names: string[];
  subject: string;
  messageId: string;
  date: number;
  bodies: [type: string, text: string][];
  files: [name: string, type: string, base64: string][];
  defects: string[];
  signed: boolean;
} & Record<"from" | "to" | "cc" | "reply-to", [name: string, address: string][]>;

const readByPython = async (all: readonly Mail[]): Promise<Read[]> => {
  const folder = mkdtempSync(join(tmpdir(), "mailspan-mail-"));
  for (const [n, one] of all.entries()) writeFileSync(join(folder, `${n}.eml`), await written(one));
  const args = [join(import.meta.dirname, "read_mail.py"), folder, `v=DKIM1; k=rsa; p=${key.publicKey}`];
  const { status, stdout, stderr } = spawnSync(PYTHON, args, { encoding: "utf8", maxBuffer: 500_000_000 });
  if (status !== 0) throw new Error(stderr);
  rmSync(folder, { recursive: true });
  const read = JSON.parse(stdout) as Record<string, Read>;
  return all.map((_, n) => {
    const one = read[n];
    if (!one) throw new Error(`mail ${n} was not read`);
    return one;
  });
};

/** Normalizes a text: half surrogates are replaced, line breaks are of one kind. */
const clean = (text: string) => text.toWellFormed().replace(/\r\n?|\n/g, "\n");
const trimmed = (text: string) => clean(text).trim().replace(/\s+/g, " ");
const boxes = (list: readonly Mailbox[]) =>
  list.map(({ name = "", address }) => [trimmed(name), address.split("@")[0]]);
const found = (list: readonly (readonly [string, string])[]) =>
  list.map(([name, address]) => [trimmed(name), address.split("@")[0]]);
const ended = (text: string) => clean(text).replace(/\n+$/, "");

const isInstalled = installTools();

describe.runIf(isInstalled)("Python", () => {
  it(`reads ${RUNS} mails of any content as they were meant, and dkimpy verifies each`, async () => {
    const all = fc.sample(mails, { numRuns: RUNS, seed: 20_260_102 });
    const read = await readByPython(all);
    for (const [n, one] of all.entries()) {
      const got = read[n] as Read;
      const meant = {
        n,
        signed: true,
        defects: [],
        subject: trimmed(one.subject),
        messageId: one.messageId,
        date: Math.floor(one.date / 1000),
        from: boxes([one.from]),
        to: boxes(one.to),
        cc: boxes(one.cc),
        replyTo: boxes(one.replyTo),
        bodies: [["text/plain", ended(one.text)], ...(one.html === "" ? [] : [["text/html", ended(one.html)]])],
        files: one.attachments.map(({ filename, contentType, content }) => [
          clean(filename),
          contentType.split(";")[0],
          Buffer.from(content).toString("base64"),
        ]),
      };
      expect({
        n,
        signed: got.signed,
        defects: got.defects,
        subject: trimmed(got.subject),
        messageId: got.messageId,
        date: got.date,
        from: found(got.from),
        to: found(got.to),
        cc: found(got.cc),
        replyTo: found(got["reply-to"]),
        bodies: got.bodies.map(([type, text]) => [type, ended(text)]),
        files: got.files,
      }).toEqual(meant);
      expect(got.names).not.toContain("Bcc");
      expect(new Set(got.names).size).toBe(got.names.length);
    }
  });
});

/** SpamAssassin calls mail spam from 5.0 points. */
const MOST_POINTS = 1;

const SECOND = 1_000;
const HOUR = 3_600_000;

/**
 * Received fields of a mail provider and the recipient's server. Without the first, transactional mail gets 1.0
 * points (STY_INVIS_DIRECT).
 * IP addresses for benchmarks (RFC 2544): documentation addresses get 1.3 points (RCVD_ILLEGAL_IP). `at`: Unix ms.
 */
const receivedFields = (at: number): string => {
  const field = (from: string, by: string, date: number) =>
    `Received: from ${from}\r\n\tby ${by}; ${new Date(date).toUTCString().replace("GMT", "+0000")}\r\n`;
  const mailProvider = "relay.acme.example";
  return (
    field(`${mailProvider} (${mailProvider} [198.18.0.25])`, "mx.example.net with ESMTPS", at + SECOND) +
    field("envelope.acme.example (unknown [198.18.7.7])", `${mailProvider} with ESMTPSA`, at)
  );
};

const score = async (one: Mail, delay = SECOND): Promise<{ points: number; report: string }> => {
  const input = Buffer.concat([Buffer.from(receivedFields(one.date + delay)), await written(one)]);
  // -L: local rules only. -t: prints the points of each rule.
  const { stdout, stderr } = spawnSync("spamassassin", ["-L", "-t"], { input, encoding: "utf8" });
  const at = stdout.indexOf("Content analysis details");
  if (at === -1) throw new Error(stderr);
  const report = stdout.slice(at);
  const rules = [...report.matchAll(/^ *(-?\d+\.\d+) +[A-Z]\w+ /gm)].map(([, points]) => Number(points));
  if (rules.length === 0) throw new Error(report);
  return { points: rules.filter((points) => points > 0).reduce((sum, points) => sum + points, 0), report };
};

const mailOf = (sample: SampleFile): Mail => {
  const { lines, html, text } = sampleMail(sample);
  return mail({
    subject: lines.subject ?? "",
    html,
    text,
    from: { name: lines.fromName ?? "", address: `${lines.fromEmail ?? "hello"}@acme.example` },
  });
};

describe.runIf(isInstalled)("SpamAssassin", () => {
  it.each([...sampleFiles, confirmationFile])("gives $file fewer than 1.0 points", async (sample) => {
    const { points, report } = await score(mailOf(sample));
    expect(points, report).toBeLessThan(MOST_POINTS);
    // Many rules do not count for mail from trusted servers only.
    expect(report).not.toContain("ALL_TRUSTED");
  });

  it("gives points for an old Date: the mail provider takes the mail 7 hours later", async () => {
    const one = mailOf(confirmationFile);
    const [fresh, old] = [await score(one), await score(one, 7 * HOUR)];
    expect(fresh.report).not.toContain("DATE_IN_PAST");
    expect(old.report).toContain("DATE_IN_PAST_06_12");
    expect(old.points).toBeGreaterThanOrEqual(MOST_POINTS);
  });

  it("gives a marketing mail with footer, list fields and tracked links fewer than 1.0 points", async () => {
    const one = await newsletter(mailOf(confirmationFile).date);
    const bytes = Buffer.from(await written(one)).toString();
    for (const name of ["List-Unsubscribe", "List-Unsubscribe-Post", "List-ID"])
      expect(bytes).toContain(`\r\n${name}: `);
    // Two addresses. The button has its address twice, for Outlook.
    const tracked = one.html.match(/ href="https:\/\/mail\.acme\.example\/t\/c\/[^"]+/g);
    expect(new Set(tracked).size).toBe(2);
    expect(one.html).not.toContain('href="https://acme.example/');
    expect(one.html).toContain("/t/o/");
    for (const body of [one.html, one.text]) expect(body).toMatch(/Hamburg[\s\S]*mail\.acme\.example\/u\//);
    const { points, report } = await score(one);
    expect(points, report).toBeLessThan(MOST_POINTS);
    expect(report).not.toContain("ALL_TRUSTED");
  });
});
