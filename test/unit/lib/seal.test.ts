import { createCipheriv, createHmac, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { derived, fromBase64Url, isTag, keyFor, opened, sealed, tag } from "../../../src/lib/seal.ts";

const SECRET = "a secret";
const NOW = 1_790_000_000_000;
const key = await keyFor(SECRET, "tests");

/** The same by another library, written from the standards. */
const own = Buffer.from(hkdfSync("sha256", SECRET, "", "mailspan tests", 64));
const macOf = (content: string, by = own.subarray(0, 32)) => createHmac("sha256", by).update(content).digest();
const sealedOf = (content: string, by?: Buffer) => {
  const iv = macOf(`s${content}`, by).subarray(0, 16);
  const hidden = createCipheriv("aes-256-ctr", own.subarray(32), iv).update(content);
  return Buffer.concat([iv, hidden]).toString("base64url");
};

const another = (char = "") => (char === "A" ? "B" : "A");
/** Every text with one character changed, cut off or added. */
const altered = (text: string): string[] => [
  ...[...text].flatMap((char, at) => [text.slice(0, at) + another(char) + text.slice(at + 1), text.slice(0, at)]),
  ...["A", "AA", "=", " ", ".", "é"].map((more) => text + more),
];

describe("a tag", () => {
  it("is HMAC-SHA-256 under a key of HKDF-SHA-256, cut to 128 bits", async () => {
    expect(await tag(key, "content")).toBe("CXYTeKe_TdNE7wUM_mRMsQ");
    expect(await tag(key, "content")).toBe(macOf("tcontent").subarray(0, 16).toString("base64url"));
    expect(await tag(key, "content", (mac) => mac.toHex())).toBe(macOf("tcontent").toString("hex"));
  });

  it("is good for its content, purpose and secret only", async () => {
    const good = await tag(key, "content");
    expect(await isTag(key, "content", good)).toBe(true);
    for (const wrong of [...altered(good), ""]) expect(await isTag(key, "content", wrong), wrong).toBe(false);
    expect(await isTag(key, "Content", good)).toBe(false);
    expect(await isTag(await keyFor(SECRET, "other tests"), "content", good)).toBe(false);
    expect(await isTag(await keyFor("another secret", "tests"), "content", good)).toBe(false);
  });
});

describe("a sealed text", () => {
  it("is AES-256-CTR with the tag of its content as the counter (RFC 5297)", async () => {
    expect(await sealed(key, "acme dom_1", NOW)).toBe("0I-tZ0wMvFmkaQQ0w6DJ-Sf-hrAqvFB0EU-iMnJKfCV9Wqg");
    expect(await sealed(key, "acme dom_1", NOW)).toBe(sealedOf(`${NOW.toString(36)} acme dom_1`));
    expect(await sealed(key, "")).toBe(sealedOf(" "));
  });

  it.each(["", " ", "a b", "\n", "\0", "\uFEFFé😀", "x".repeat(2_500)])(
    "gives back its payload: %j",
    async (payload) => {
      const text = await sealed(key, payload);
      expect(text).toMatch(/^[\w-]+$/);
      expect(await opened(key, text, NOW)).toEqual({ payload, expires: Number.POSITIVE_INFINITY });
    },
  );

  it("shows nothing of its payload", async () => {
    const bytes = Buffer.from(await sealed(key, "acme con_1"), "base64url").toString("latin1");
    for (const part of ["acme", "con_"]) expect(bytes).not.toContain(part);
  });

  it("ends at its time", async () => {
    const text = await sealed(key, "payload", NOW);
    expect(await opened(key, text, NOW - 1)).toEqual({ payload: "payload", expires: NOW });
    expect(await opened(key, text, NOW)).toBe("expired");
    expect(await opened(key, await sealed(key, "payload"), Number.MAX_SAFE_INTEGER)).toMatchObject({
      payload: "payload",
    });
  });

  it("is invalid with any change, and under another purpose or secret, also when it has expired", async () => {
    const text = await sealed(key, "payload", NOW);
    for (const wrong of [...altered(text), "", "A".repeat(1_000_000)])
      expect(await opened(key, wrong, NOW + 1), wrong.slice(0, 100)).toBe("invalid");
    expect(await opened(await keyFor(SECRET, "other tests"), text, NOW + 1)).toBe("invalid");
    expect(await opened(await keyFor("another secret", "tests"), text, NOW + 1)).toBe("invalid");
  });

  it("is not made of two, nor of a tag", async () => {
    const [one, two] = [await sealed(key, "payload 1"), await sealed(key, "payload 2")];
    for (let at = 1; at < one.length; at++) {
      const mixed = one.slice(0, at) + two.slice(at);
      if (mixed !== one && mixed !== two) expect(await opened(key, mixed, NOW)).toBe("invalid");
    }
    const content = " payload 1";
    const iv = Buffer.from(await tag(key, content), "base64url");
    const hidden = createCipheriv("aes-256-ctr", own.subarray(32), iv).update(content);
    expect(await opened(key, Buffer.concat([iv, hidden]).toString("base64url"), NOW)).toBe("invalid");
  });
});

describe("a derived key", () => {
  it("and what is shown of it are parts of one HMAC", async () => {
    const { shown, key: keyOf } = await derived(key, "acme 1");
    const mac = macOf("dacme 1");
    expect(Buffer.from(shown)).toEqual(mac.subarray(0, 12));
    expect(await sealed(await keyOf(), "acme 1 x")).toBe(sealedOf(" acme 1 x", mac.subarray(12)));
  });

  it("opens its own texts only", async () => {
    const keyOf = async (payload: string) => (await derived(key, payload.slice(0, 6))).key();
    const text = await sealed(await keyOf("acme 1"), "acme 1 x");
    expect(await opened(key, text, NOW, keyOf)).toMatchObject({ payload: "acme 1 x" });
    expect(await opened(key, text, NOW)).toBe("invalid");
    expect(await opened(key, text, NOW, async () => undefined)).toBe("invalid");
    expect(await opened(key, await sealed(await keyOf("acme 2"), "acme 1 x"), NOW, keyOf)).toBe("invalid");
    expect(await opened(key, await sealed(key, "acme 1 x"), NOW, keyOf)).toBe("invalid");
  });
});

it("a key needs a secret", async () => {
  await expect(keyFor("", "tests")).rejects.toThrow('The secret for "tests" is empty.');
});

it("bytes have one spelling in base64url", () => {
  expect(fromBase64Url("_w")).toEqual(new Uint8Array([255]));
  for (const other of ["_x", "_w==", "/w", " _w", "_", "é"]) expect(fromBase64Url(other), other).toBeUndefined();
});

describe("a seal that could not be opened is not made", () => {
  it.each([
    ["a text over 4,000 characters", "x".repeat(3_500), undefined],
    ["a time that never comes", "x", Number.POSITIVE_INFINITY],
    ["a time that is no number", "x", Number.NaN],
  ])("%s is refused", async (_what, payload, expires) => {
    const key = await keyFor("a secret of a test", "a purpose of a test");
    await expect(sealed(key, payload, expires)).rejects.toThrow(RangeError);
  });
});
