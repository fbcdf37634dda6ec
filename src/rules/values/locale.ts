const DEFAULT_LOCALE = "en-US";

/**
 * Returns the first locale that Intl supports, else en-US: "pt_BR" becomes "pt-BR". Intl throws on "auto" and
 * underscores.
 */
export const locale = (given: readonly unknown[] | string | null | undefined): string => {
  for (const tag of typeof given === "string" ? [given] : (given ?? [])) {
    const known = typeof tag === "string" ? supported(tag.trim().replaceAll("_", "-")) : undefined;
    if (known) return known;
  }
  return DEFAULT_LOCALE;
};

const supported = (tag: string): string | undefined => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
};
