import { describe, expect, it } from "vitest";
import { languageOf } from "../../../../../src/email/http/recipient/language.ts";
import { languages } from "../../../../../src/email/http/recipient/texts.ts";
import { footerWords } from "../../../../../src/lib/mail-body/footer.ts";

describe("the language of a page", () => {
  it.each([
    [undefined, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["de-CH, fr;q=0.8", "de"],
    ["fr;q=0.3, es;q=0.9", "es"],
    ["xx, FR-ca;q=0.5", "fr"],
    ["nn-NO, en;q=0.5", "nb"],
    ["no", "nb"],
    ["iw", "he"],
    ["zh-TW", "zh"],
    ["de;q=0, ar", "ar"],
    ["es; q=0.2, de ; q=0.4", "de"],
    ["de;q=x, fr;q=0.1", "fr"],
    ["constructor, __proto__, toString", "en"],
    [",;=,;q=;;", "en"],
    ["x,".repeat(100_000), "en"],
  ])("for %j", (header, lang) => {
    expect(languageOf(header)).toEqual({ lang, texts: languages[lang] });
  });

  it.each([
    ["pl", "de, fr", "pl"],
    ["constructor", "de", "de"],
    ["", "de", "de"],
  ])("is %j, chosen in the menu, before %j of the browser", (chosen, header, lang) => {
    expect(languageOf(header, chosen).lang).toBe(lang);
  });

  it("is one of 24, and each has a name and a direction of its own", () => {
    const all = Object.entries(languages);
    expect(all.length).toBeGreaterThanOrEqual(24);
    expect(new Set(all.map(([, { name }]) => name)).size).toBe(all.length);
    for (const [tag, { name, dir }] of all) {
      expect(tag).toBe(new Intl.Locale(tag).language);
      expect([tag, dir]).toEqual([tag, /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(name) ? "rtl" : "ltr"]);
    }
  });

  it.each(Object.entries(languages).filter(([tag]) => tag !== "en"))(
    "%s has no text that is still English",
    (_tag, texts) => {
      const same = Object.entries(texts).filter(([name, text]) => text === languages.en?.[name as keyof typeof texts]);
      expect(same.filter(([name]) => name !== "dir")).toEqual([]);
    },
  );

  it("is one of those of the footer of a mail, with the same words", () => {
    const words = Object.entries(languages).map(([tag, { unsubscribe, preferences }]) => [
      tag,
      [unsubscribe, preferences],
    ]);
    expect(footerWords).toEqual(Object.fromEntries(words));
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
