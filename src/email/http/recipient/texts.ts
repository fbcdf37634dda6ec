import { asian } from "./texts/asian.ts";
import { en, type Texts } from "./texts/english.ts";
import { european } from "./texts/european.ts";
import { germanic } from "./texts/germanic.ts";
import { romance } from "./texts/romance.ts";
import { slavic } from "./texts/slavic.ts";

/** Page languages; English is the fallback. */
export const languages: Readonly<Record<string, Texts>> = {
  en,
  ...germanic,
  ...romance,
  ...slavic,
  ...european,
  ...asian,
};
