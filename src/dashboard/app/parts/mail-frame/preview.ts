/** Tags that load something, and their attributes with its address. */
const PICTURES = /<(?:img|image|source|video|input)\b[^>]*>/gi;
const ADDRESSES = /\s(?:src|srcset|poster|(?:xlink:)?href)\s*=/gi;

/**
 * The HTML of a mail for the preview frame. `isDark`: its rules for dark mode apply, whatever the browser prefers: a frame does not
 * take the scheme of its element. `withImages`: false takes the addresses of pictures and fonts away, so that no server learns that the mail
 * was looked at.
 */
export const previewOf = (html: string, { isDark, withImages }: { isDark: boolean; withImages: boolean }): string => {
  const schemed = html.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === "dark") === isDark ? "(min-width:0)" : "(max-width:0)",
  );
  if (withImages) return schemed;
  return schemed
    .replaceAll(PICTURES, (tag) => tag.replaceAll(ADDRESSES, " data-blocked="))
    .replaceAll(/\sbackground\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, "")
    .replaceAll(/url\(\s*(?:"https?:[^"]*"|'https?:[^']*'|&quot;https?:.*?&quot;|https?:[^)]*)\s*\)/gi, "none")
    .replaceAll(/@import\b[^;]*;/gi, "");
};

/** True for a mail with pictures or fonts that other servers have. */
export const hasRemote = (html: string): boolean =>
  previewOf(html, { isDark: false, withImages: false }) !== previewOf(html, { isDark: false, withImages: true });
