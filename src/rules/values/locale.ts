/** What numbers and dates are written in where nothing better is known. */
const DEFAULT_LOCALE = "en-US";

/**
 * The first of the provider's locales that can be written in, else en-US: `locale(["auto", "pt_BR"])` is "pt-BR".
 * Providers send "auto", empty texts and underscores; Intl throws on those.
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
