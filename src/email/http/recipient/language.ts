import { languages, type Texts } from "./texts.ts";

/** Chooses a language by `Accept-Language` (RFC 9110 section 12.5.4). */
export const languageOf = (header: string | undefined): { lang: string; texts: Texts } => {
  const wanted = (header ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { lang: tag.split("-")[0] ?? "", weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ lang, weight }) => weight > 0 && Object.hasOwn(languages, lang))
    // A stable sort keeps the order of equal weights.
    .sort((a, b) => b.weight - a.weight);
  const lang = wanted[0]?.lang ?? "en";
  return { lang, texts: languages[lang] as Texts };
};
