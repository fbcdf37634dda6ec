import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, hmac, sameText, toBase64, toBytes, toHex } from "../../../../src/lib/util/hmac.ts";

test("HMAC-SHA256 matches RFC 4231, test case 2", async () => {
  const mac = await hmac(toBytes("Jefe"), "what do ya want for nothing?");
  expect(toHex(mac)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("HMACs of texts of every length are right while others are made", async () => {
  const expected = (text: string) => createHmac("sha256", "Jefe").update(text).digest("hex");
  const texts = Array.from({ length: 60 }, (_, n) => [..."añ€😀"][n % 4]?.repeat(2 ** (n % 16)) ?? "");
  const macs = await Promise.all(texts.map(async (text) => toHex(await hmac(toBytes("Jefe"), text))));
  expect(macs).toEqual(texts.map(expected));
});

test("base64 is encoded and decoded; other text gives undefined", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(new Uint8Array(bytes));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect([undefined, Uint8Array]).toContain(fromBase64(text)?.constructor);
    }),
  );
  expect(fromBase64("AQI")).toEqual(new Uint8Array([1, 2]));
  for (const text of ["A", "%%%%", "AQ=I", "é"]) expect(fromBase64(text)).toBe(undefined);
});

test("sameText is true for equal texts only", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), async (a, b) => {
      expect(await sameText(a, b)).toBe(a === b);
      expect(await sameText(a, a)).toBe(true);
    }),
  );
});
