import type { Texts } from "./texts/english.ts";
import { languages } from "./texts.ts";

export type Language = { lang: string; texts: Texts };

/** Other tags of languages that browsers ask for. */
const ALIASES: Readonly<Record<string, string>> = { no: "nb", nn: "nb", iw: "he" };

/** Chooses a language: `chosen`, or else by `Accept-Language` (RFC 9110 section 12.5.4). */
export const languageOf = (header: string | undefined, chosen = ""): Language => {
  const wanted = (header ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      const own = tag.split("-")[0] ?? "";
      const lang = Object.hasOwn(ALIASES, own) ? (ALIASES[own] ?? own) : own;
      return { lang, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ lang, weight }) => weight > 0 && Object.hasOwn(languages, lang))
    // A stable sort keeps the order of equal weights.
    .sort((a, b) => b.weight - a.weight);
  const lang = Object.hasOwn(languages, chosen) ? chosen : (wanted[0]?.lang ?? "en");
  return { lang, texts: languages[lang] as Texts };
};
