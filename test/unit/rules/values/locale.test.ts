import fc from "fast-check";
import { expect, test } from "vitest";
import { locale } from "../../../../src/rules/values/locale.ts";

test("locale gives a supported locale for any input", () => {
  expect(["auto", "", "en_GB", "pt-BR", "zh-HK", "x", "klingon!", null, 5].map((tag) => locale([tag]))).toEqual([
    "en-US",
    "en-US",
    "en-GB",
    "pt-BR",
    "zh-HK",
    "en-US",
    "en-US",
    "en-US",
    "en-US",
  ]);
  expect(locale(["auto", "de"])).toBe("de");
  expect([locale("fr"), locale(null), locale(undefined), locale([])]).toEqual(["fr", "en-US", "en-US", "en-US"]);
  fc.assert(
    fc.property(fc.string(), (tag) => {
      expect(new Intl.NumberFormat(locale(tag)).format(1)).not.toBe("");
    }),
  );
});
