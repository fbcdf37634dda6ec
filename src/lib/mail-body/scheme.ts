/** Fixes the color scheme of a mail, because frames ignore that of their element. */
export const inScheme = (html: string, isDark: boolean): string =>
  html.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === "dark") === isDark ? "(min-width:0)" : "(max-width:0)",
  );
