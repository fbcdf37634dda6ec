/** ISO 639 codes. */
const RIGHT_TO_LEFT = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "ug", "ur", "yi"];

/** Returns a well-formed BCP 47 tag; English otherwise. */
export const languageOf = (given: string | undefined): string =>
  given !== undefined && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(given) ? given : "en";

/** True for right-to-left text. The script decides: `az-Arab`, `ur-Latn`. */
export const isRightToLeft = (language: string): boolean => {
  const [first = "", second = ""] = language.toLowerCase().split("-");
  return second.length === 4
    ? ["arab", "hebr", "syrc", "thaa", "nkoo"].includes(second)
    : RIGHT_TO_LEFT.includes(first);
};
