import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { confirmationFile, sampleFiles } from "../../scripts/lib/sample-files.ts";
import { composeMessage } from "../../src/email/mime/compose.ts";
import { type DkimKey, generateDkimKey, importSigningKey } from "../../src/email/mime/dkim/keys.ts";
import { signMessage } from "../../src/email/mime/dkim/sign.ts";
import type { Mail, Mailbox } from "../../src/email/types/mail.ts";
import { sampleMail } from "../unit/email/lmx/sample-mails.ts";
import { mail, mails } from "../unit/email/mime/mails.ts";
import { installTools, PYTHON } from "./debian.ts";

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
  const result = composeMessage(one);
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

/** The mails as Python reads them. */
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

/** What stays of a text: half surrogates are replaced, line breaks are one kind. */
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
        ...{ n, signed: true, defects: [], subject: trimmed(one.subject), messageId: one.messageId },
        date: Math.floor(one.date / 1000),
        ...{ from: boxes([one.from]), to: boxes(one.to), cc: boxes(one.cc), replyTo: boxes(one.replyTo) },
        bodies: [["text/plain", ended(one.text)], ...(one.html === "" ? [] : [["text/html", ended(one.html)]])],
        files: one.attachments.map(({ filename, contentType, content }) => [
          ...[clean(filename), contentType.split(";")[0], Buffer.from(content).toString("base64")],
        ]),
      };
      expect({
        ...{ n, signed: got.signed, defects: got.defects, subject: trimmed(got.subject), messageId: got.messageId },
        date: got.date,
        ...{ from: found(got.from), to: found(got.to), cc: found(got.cc), replyTo: found(got["reply-to"]) },
        bodies: got.bodies.map(([type, text]) => [type, ended(text)]),
        files: got.files,
      }).toEqual(meant);
      expect(got.names).not.toContain("Bcc");
      expect(new Set(got.names).size).toBe(got.names.length);
    }
  });
});

/** Below it a mail has no doubt: SpamAssassin calls mail spam from 5.0. */
const MOST_POINTS = 1;

describe.runIf(isInstalled)("SpamAssassin", () => {
  it.each([...sampleFiles, confirmationFile])("gives $file fewer than 1.0 points", async (sample) => {
    const { lines, html, text } = sampleMail(sample);
    const one = mail({
      ...{ subject: lines.subject ?? "", html, text },
      from: { name: lines.fromName ?? "", address: `${lines.fromEmail ?? "hello"}@acme.example` },
    });
    const bytes = await written(one);
    // -L: local rules only. -t: prints the points of each rule.
    const { stdout } = spawnSync("spamassassin", ["-L", "-t"], { input: bytes, encoding: "utf8" });
    const [, points] = /Content analysis details:\s+\((-?[\d.]+) points/.exec(stdout) ?? [];
    const report = stdout.slice(stdout.indexOf("Content analysis details"));
    expect(Number(points), report).toBeLessThan(MOST_POINTS);
  });
});
