/** Languages that are written from right to left, by their ISO 639 codes. */
const RIGHT_TO_LEFT = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "ug", "ur", "yi"];

/** A BCP 47 language tag that HTML may hold: the given one, or English when it is not well-formed. */
export const languageOf = (given: string | undefined): string =>
  given !== undefined && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(given) ? given : "en";

/** True for a language that is written from right to left. A script in the tag decides: `az-Arab`, `ur-Latn`. */
export const isRightToLeft = (language: string): boolean => {
  const [first = "", second = ""] = language.toLowerCase().split("-");
  return second.length === 4
    ? ["arab", "hebr", "syrc", "thaa", "nkoo"].includes(second)
    : RIGHT_TO_LEFT.includes(first);
};
