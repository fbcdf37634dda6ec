import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, shortLink } from "../../../../src/rules/values/clip.ts";

test("clip keeps short texts, and cuts long ones without splitting a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 700 }), (text) => {
      const short = clip(text);
      expect(short.length).toBeLessThanOrEqual(498);
      if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
      if (text.length <= 498) expect(short).toBe(text);
      else expect(text.startsWith(short.slice(0, -1))).toBe(true);
    }),
  );
  expect(clip(`${"x".repeat(496)}😀`)).toBe(`${"x".repeat(496)}😀`);
  expect(clip(`${"x".repeat(496)}😀y`)).toBe(`${"x".repeat(496)}…`);
  expect([clip(null), clip(undefined)]).toEqual([null, undefined]);
  expect([
    shortLink("https://example.com/a"),
    shortLink(`https://example.com/${"a".repeat(500)}`),
    shortLink(null),
  ]).toEqual(["https://example.com/a", undefined, undefined]);
});
