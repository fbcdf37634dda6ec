/** A mode of the reader's device. */
export type Scheme = "light" | "dark";

const SCHEME_META = /(<meta name="(?:supported-)?color-scheme" content=")[^"]*\bdark\b[^"]*(">)/g;
const MEDIA = /@media\s*\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g;

/**
 * The HTML of a mail as a device in this mode shows it, whatever the mode of this device. A browser gives a frame the mode
 * of the device, so the rules in the head are rewritten. Links open a new window, which the sandbox forbids: a click keeps the
 * mail in its frame. The body stays as it is.
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
