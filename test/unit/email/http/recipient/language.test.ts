import { describe, expect, it } from "vitest";
import { languageOf } from "../../../../../src/email/http/recipient/language.ts";
import { languages } from "../../../../../src/email/http/recipient/texts.ts";

describe("the language of a page", () => {
  it.each([
    [undefined, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["de-CH, fr;q=0.8", "de"],
    ["fr;q=0.3, es;q=0.9", "es"],
    ["pl, FR-ca;q=0.5", "fr"],
    ["de;q=0, ar", "ar"],
    ["es; q=0.2, de ; q=0.4", "de"],
    ["de;q=x, fr;q=0.1", "fr"],
    ["constructor, __proto__, toString", "en"],
    [",;=,;q=;;", "en"],
    ["x,".repeat(100_000), "en"],
  ])("for %j", (header, lang) => {
    expect(languageOf(header)).toEqual({ lang, texts: languages[lang] });
  });

  it("has every text, with the same names as in English", () => {
    const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const texts of Object.values(languages)) {
      for (const [name, english] of Object.entries(languages.en ?? {})) {
        const text = texts[name as keyof typeof texts];
        expect([name, text.trim() !== "", namesIn(text)]).toEqual([name, true, namesIn(english)]);
      }
    }
  });
});
