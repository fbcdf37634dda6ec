import { describe, expect, it } from "vitest";
import { readClick, readOpen, trackingLinksOf } from "../../../../../src/email/mail/links/tracking.ts";
import type { TrackedMail } from "../../../../../src/email/types/tracking.ts";

const secret = "the secret";
const other = "another secret";
const site = "https://mail.example.com";
const mail: TrackedMail = { team: "acme", send: 3_786_912_000_123_456, contact: 12_345, message: 7, run: 0 };
const links = await trackingLinksOf(secret, site, mail);
const tokenOf = (url: string | undefined) => url?.split("/").at(-1) ?? "";

describe("the addresses of a tracked mail", () => {
  it("name mail, link and target, and nothing can be read of the mail", async () => {
    const url = "https://shop.example.com/a?b=c&d=%20#e";
    const link = await links.linkOf(url, 40, 41);
    expect(link).toMatch(/^https:\/\/mail\.example\.com\/t\/c\/[\w-]+\.14-15\.[\w-]{22}\.[\w-]+$/);
    expect(await readClick([secret], tokenOf(link))).toEqual({ mail, link: 40, place: 41, url });
    expect(links.picture).toMatch(/^https:\/\/mail\.example\.com\/t\/o\/[\w-]{50,90}$/);
    expect(await readOpen([secret], tokenOf(links.picture))).toEqual(mail);
    const bytes = Buffer.from(tokenOf(links.picture), "base64url").toString("latin1");
    for (const value of ["acme", "9ix", (12_345).toString(36)]) expect(bytes).not.toContain(value);
  });

  it("are the same in every version of the code, because mails stay in mailboxes for years", async () => {
    const written =
      "https://mail.example.com/t/c/0zXpfnbj4-EyQcf7ZeyyEzmdU_qFtqFRKPeiTHsWpY0DSGVPyfKksMZUIQ.1.g10DBQVLGMXdmqijlztW9g.aHR0cHM6Ly9zaG9wLmV4YW1wbGUuY29tLw";
    const url = "https://shop.example.com/";
    expect(await readClick([secret], tokenOf(written))).toEqual({ mail, link: 1, url });
    const withPlace =
      "https://mail.example.com/t/c/0zXpfnbj4-EyQcf7ZeyyEzmdU_qFtqFRKPeiTHsWpY0DSGVPyfKksMZUIQ.1-2.QsTuudppf5i2v2XN9inF5Q.aHR0cHM6Ly9zaG9wLmV4YW1wbGUuY29tLw";
    expect(await links.linkOf(url, 1, 2)).toBe(withPlace);
    expect(await readClick([secret], tokenOf(withPlace))).toEqual({ mail, link: 1, place: 2, url });
  });

  it("survive a new secret, as long as the old one is listed", async () => {
    const token = tokenOf(await links.linkOf("https://shop.example.com/", 1, 1));
    expect(await readClick([other, secret], token)).toMatchObject({ mail });
    expect(await readClick([other], token)).toBeUndefined();
    expect(await readOpen([other], tokenOf(links.picture))).toBeUndefined();
    expect(await readClick([], token)).toBeUndefined();
  });

  it("are not valid after the change of any character", async () => {
    const token = tokenOf(await links.linkOf("https://shop.example.com/", 1, 1));
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
      expect(await readClick([secret], changed), changed).toBeUndefined();
    }
  });

  it.each([
    "javascript:alert(1)",
    "mailto:a@example.com",
    "//evil.example",
    "https://ünïcode.example/",
    "https://example.com/a b",
    "https://example.com/\r\nSet-Cookie: a=b",
    "https://",
    `https://example.com/${"x".repeat(1_200)}`,
  ])("are not made for what cannot be redirected to: %s", async (url) => {
    expect(await links.linkOf(url, 1, 1)).toBeUndefined();
  });

  it.each(["", ".", "....", "a.b.c.d", "%00.1.x.y", "é.1.x.y", `${"a".repeat(2_200)}.1.x.y`])(
    "with any text as token are never a fault: %j",
    async (token) => {
      expect(await readClick([secret], token)).toBeUndefined();
      expect(await readOpen([secret], token)).toBeUndefined();
    },
  );
});
