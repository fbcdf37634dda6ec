const encoder = new TextEncoder();

const ROOM = 60;

const plain = /^[ !#-[\]-~]*$/;
const bare = /^[A-Za-z0-9!#$&+\-.^_`{|}~]$/;

const percent = (char: string): string => {
  if (bare.test(char)) return char;
  let text = "";
  for (const byte of encoder.encode(char)) text += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return text;
};

/**
 * Formats a header parameter: quoted, or by RFC 2231, which splits a long value into numbered pieces.
 *
 * @example parameter("filename", "Rechnung März.pdf") // [" filename*=utf-8''Rechnung%20M%C3%A4rz.pdf"]
 */
export const parameter = (name: string, value: string): string[] => {
  // Readers decode encoded words in quotes, although RFC 2047 section 5 forbids them there.
  if (plain.test(value) && !value.includes("=?") && value.length <= ROOM) return [` ${name}="${value}"`];
  const pieces = [""];
  for (const char of value) {
    const more = percent(char);
    if ((pieces.at(-1) ?? "").length + more.length > ROOM - "utf-8''".length) pieces.push("");
    pieces[pieces.length - 1] += more;
  }
  if (pieces.length === 1) return [` ${name}*=utf-8''${pieces[0]}`];
  return pieces.map((piece, index) => {
    const end = index < pieces.length - 1 ? ";" : "";
    return ` ${name}*${index}*=${index === 0 ? "utf-8''" : ""}${piece}${end}`;
  });
};
