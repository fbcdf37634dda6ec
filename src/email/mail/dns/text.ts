/**
 * Joins quoted TXT strings with escapes (RFC 1035 section 5.1).
 *
 * @example joinedText('"v=DKIM1; p=AB" "CD"') // "v=DKIM1; p=ABCD"
 */
export const joinedText = (data: string): string => {
  const strings = data.trim().match(QUOTED);
  return strings === null || data.trim().replace(QUOTED, "").trim() !== "" ? data : strings.map(unquoted).join("");
};

const QUOTED = /"(?:[^"\\]|\\[\s\S])*"/g;

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\(\d{3}|[\s\S])/g, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped) & 255) : escaped,
    );

/** Octet limit of a TXT string (RFC 1035 section 3.3.14). */
const MAX_STRING = 255;

export const quotedStrings = (value: string): string => {
  const strings = value.match(new RegExp(`[\\s\\S]{1,${MAX_STRING}}`, "g")) ?? [""];
  return strings.map((one) => `"${one.replace(/["\\]/g, "\\$&")}"`).join(" ");
};
