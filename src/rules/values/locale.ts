/** Locale for numbers and dates where the provider gives no usable one. */
const DEFAULT_LOCALE = "en-US";

/**
 * The first of the provider's locales that Intl supports, else en-US: `locale(["auto", "pt_BR"])` is "pt-BR". Providers
 * send "auto", empty strings and underscores, on which Intl throws.
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
