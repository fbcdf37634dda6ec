export type Scheme = "light" | "dark";

const SCHEME_META = /(<meta name="(?:supported-)?color-scheme" content=")[^"]*\bdark\b[^"]*(">)/g;
const MEDIA = /@media\s*\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g;

/**
 * Rewrites HTML for one color scheme: a frame takes the device's mode. Links open new windows, which the sandbox
 * forbids.
 */
export const inScheme = (html: string, scheme: Scheme): string => {
  const end = html.indexOf("</head>");
  if (end === -1) return html;
  const head = html
    .slice(0, end)
    .replace(MEDIA, (_rule, wanted) => (wanted === scheme ? "@media all" : "@media not all"))
    .replace(SCHEME_META, `$1${scheme}$2`);
  return `${head}<base target="_blank">\n${html.slice(end)}`;
};
