import { createHash, createPublicKey } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { relaxedBody, relaxedField } from "../../../../../src/email/mail/mime/dkim/canonical.ts";
import { type DkimKey, generateDkimKey, importSigningKey } from "../../../../../src/email/mail/mime/dkim/keys.ts";
import { openKey, sealKey } from "../../../../../src/email/mail/mime/dkim/seal.ts";
import { signMessage } from "../../../../../src/email/mail/mime/dkim/sign.ts";
import { type Message, mimeOf } from "../../../../../src/email/mail/mime/mime-message.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import { isValidDkim, signatureField, tagsOf } from "../../../../dkim.ts";
import { mail, mails } from "./mails.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const body = (text: string) => latin(relaxedBody(bytesOf(text)));

let key: DkimKey;
let signingKey: CryptoKey;
beforeAll(async () => {
  key = await generateDkimKey();
  signingKey = await importSigningKey(key.pkcs8);
});

const composed = (one: Mail): Message => {
  const result = mimeOf(one);
  if ("unsendable" in result) throw new Error(result.unsendable.message);
  return result.message;
};
const signed = async (one: Mail): Promise<string> => {
  const signing = { domain: "acme.example", selector: "s1", key: signingKey, now: NOW };
  return latin((await signMessage(composed(one), signing)).bytes);
};

const isValid = (message: string): boolean => isValidDkim(message, key.publicKey);

describe("the relaxed form", () => {
  it("is that of the examples in RFC 6376 section 3.4.5", () => {
    expect(relaxedField("A: X")).toBe("a:X");
    expect(relaxedField("B : Y\t\r\n\tZ  ")).toBe("b:Y Z");
    expect(body(" C \r\nD \t E\r\n\r\n\r\n")).toBe(" C\r\nD E\r\n");
  });

  it.each([
    ["no body", "", ""],
    ["a line break alone", "\r\n", ""],
    ["empty lines alone", "\r\n\r\n \t\r\n", ""],
    ["no line break at the end", "a", "a\r\n"],
    ["empty lines at the end, some with white space", "a\r\n\r\n \r\n\t\r\n", "a\r\n"],
    ["white space at the end without a line break", "a \t", "a\r\n"],
    ["empty lines inside", "a\r\n\r\n \r\nb", "a\r\n\r\n\r\nb\r\n"],
    ["white space at the start of a line", "\t a", " a\r\n"],
  ])("of %s", (_what, given, relaxed) => {
    expect(body(given)).toBe(relaxed);
  });

  it("has the body hashes that RFC 6376 section 3.4.4 and RFC 8463 appendix A.3 publish", () => {
    const hash = (text: string) =>
      createHash("sha256")
        .update(relaxedBody(bytesOf(text)))
        .digest("base64");
    expect(hash("")).toBe("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    expect(hash("Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n\r\n")).toBe(
      "2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=",
    );
  });
});

describe("a signed message", () => {
  it("is verified, whatever is in it, and the rest of it is unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(mails, async (one) => {
        const message = await signed(one);
        expect(isValid(message)).toBe(true);
        expect(message.slice(signatureField(message).length + 2)).toBe(latin(composed(one).bytes));
        for (const line of signatureField(message).split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
      }),
      { numRuns: 60 },
    );
  });

  it("covers what a reader sees, and no field can be added to it", async () => {
    const message = await signed({
      ...mail({ cc: [{ address: "bo@example.com" }], replyTo: [{ address: "help@acme.example" }] }),
      class: "marketing",
      listId: "news.acme.example",
      unsubscribeUrl: "https://acme.example/u/1",
    });
    expect(tagsOf(message)).toMatchObject({
      v: "1",
      a: "rsa-sha256",
      c: "relaxed/relaxed",
      d: "acme.example",
      s: "s1",
    });
    expect(tagsOf(message)).toMatchObject({ t: String(NOW / 1000) });
    expect(tagsOf(message).l).toBeUndefined();
    const names = (tagsOf(message).h ?? "").split(":");
    const times = (name: string) => names.filter((one) => one === name).length;
    for (const name of [
      "From",
      "To",
      "Cc",
      "Reply-To",
      "Subject",
      "Date",
      "Message-ID",
      "MIME-Version",
      "Content-Type",
    ])
      expect([name, times(name)]).toEqual([name, 2]);
    expect([times("List-Unsubscribe"), times("List-Unsubscribe-Post"), times("List-ID")]).toEqual([2, 2, 1]);
    expect([times("Feedback-ID"), times("CFBL-Address")]).toEqual([2, 0]);

    expect(isValid(message)).toBe(true);
    for (const added of [
      "From: evil@example.com",
      "Subject: x",
      "Reply-To: x@example.com",
      "Cc: x@example.com",
      "List-Unsubscribe: <https://x>",
      "Feedback-ID: a:b",
    ])
      for (const place of [0, 1]) {
        const [own = ""] = [signatureField(message)];
        const rest = message.slice(own.length + 2);
        const end = rest.indexOf("\r\n\r\n") + 2;
        const forged = place === 0 ? `${added}\r\n${rest}` : `${rest.slice(0, end)}${added}\r\n${rest.slice(end)}`;
        expect([added, isValid(`${own}\r\n${forged}`)]).toEqual([added, false]);
      }
  });

  it.each([
    ["Subject: Hello", "Subject: Hullo"],
    ["ada@example.com", "eve@example.com"],
    ["<p>Hello</p>", "<p>Hullo</p>"],
    ["Auto-Submitted: auto-generated", "Auto-Submitted: no"],
    ["d=acme.example", "d=evil.example"],
    ["t=1767323045", "t=1767323046"],
  ])("is not verified after a change of %s", async (before, after) => {
    const message = await signed(mail());
    expect(message).toContain(before);
    expect(isValid(message.replace(before, after))).toBe(false);
  });

  it("is verified after white space was changed by a relay", async () => {
    const message = await signed(mail({ text: "a  b\nc" }));
    const changed = message.replace("Subject: Hello", "SUBJECT:   Hello ").replace("a  b\r\n", "a \t b \r\n");
    expect(changed).not.toBe(message);
    expect(isValid(`${changed}\r\n\r\n`)).toBe(true);
  });

  it("leaves out the fields that a mail provider replaces", async () => {
    const signing = {
      domain: "acme.example",
      selector: "s1",
      key: signingKey,
      now: NOW,
      without: ["Message-ID", "Date"],
    };
    const message = latin((await signMessage(composed(mail()), signing)).bytes);
    expect(tagsOf(message).h).not.toMatch(/message-id|date/i);
    const withMailProvider = message
      .replace(/^Message-ID: .*$/m, "Message-ID: <1@relay.example>")
      .replace(/^Date: .*$/m, "Date: x");
    expect(withMailProvider).not.toBe(message);
    expect(isValid(withMailProvider)).toBe(true);
  });

  it("may have an address that needs SMTPUTF8", async () => {
    expect(isValid(await signed(mail({ to: [{ name: "Grüße", address: "grüße@example.com" }] })))).toBe(true);
  });
});

describe("a DKIM key", () => {
  it("has 2048 bits, and its public part fits into two strings of DNS", () => {
    const publicKey = createPublicKey({ key: Buffer.from(key.publicKey, "base64"), format: "der", type: "spki" });
    expect(publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65537n });
    expect(key.publicKey).toMatch(/^[A-Za-z0-9+/]{392}$/);
  });

  it("is sealed for one owner, and opened with the secret that sealed it, also a former one", async () => {
    const sealed = await sealKey(key.pkcs8, "secret one", "acme acme.example s1");
    const open = (secrets: string[], owner = "acme acme.example s1", what = sealed) => openKey(what, secrets, owner);
    expect(await open(["secret one"])).toEqual(key.pkcs8);
    expect(await open(["secret two", "secret one"])).toEqual(key.pkcs8);
    expect(await open(["secret two"])).toBeUndefined();
    expect(await open([])).toBeUndefined();
    expect(await open(["secret one"], "globex acme.example s1")).toBeUndefined();
    for (const at of [0, 9, 30, sealed.length - 2]) {
      const turned = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      expect(await open(["secret one"], undefined, turned)).toBeUndefined();
    }
    for (const broken of ["", "1", sealed.slice(0, -4), `${sealed}A`, "!.!"])
      expect(await open(["secret one"], undefined, broken)).toBeUndefined();
  });

  it("is sealed differently for each secret and owner, and shows nothing of itself", async () => {
    const one = await sealKey(key.pkcs8, "s", "o");
    for (const other of [await sealKey(key.pkcs8, "t", "o"), await sealKey(key.pkcs8, "s", "p")]) {
      for (let at = 0; at + 40 <= one.length; at++) expect(other).not.toContain(one.slice(at, at + 40));
    }
    const data = Buffer.from(one, "base64url").toString("latin1");
    const written = Buffer.from(key.pkcs8).toString("base64");
    for (let at = 0; at + 8 <= written.length; at += 8) expect(data).not.toContain(written.slice(at, at + 8));
  });
});
