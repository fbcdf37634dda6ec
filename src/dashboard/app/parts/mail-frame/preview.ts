import { inScheme } from "../../../../lib/mail-body/scheme.ts";

const PICTURES = /<(?:img|image|source|video|input)\b[^>]*>/gi;
const ADDRESSES = /\s(?:src|srcset|poster|(?:xlink:)?href)\s*=/gi;

/**
 * Prepares HTML for preview. `isDark` forces dark mode. Without `withImages`, remote images and fonts are removed.
 */
export const previewOf = (html: string, { isDark, withImages }: { isDark: boolean; withImages: boolean }): string => {
  const schemed = inScheme(html, isDark);
  if (withImages) return schemed;
  return schemed
    .replaceAll(PICTURES, (tag) => tag.replaceAll(ADDRESSES, " data-blocked="))
    .replaceAll(/\sbackground\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, "")
    .replaceAll(/url\(\s*(?:"https?:[^"]*"|'https?:[^']*'|&quot;https?:.*?&quot;|https?:[^)]*)\s*\)/gi, "none")
    .replaceAll(/@import\b[^;]*;/gi, "");
};

/** True for remote images or fonts. */
export const hasRemote = (html: string): boolean =>
  previewOf(html, { isDark: false, withImages: false }) !== previewOf(html, { isDark: false, withImages: true });
