/** Texts that stay as they are: strings and, after a character that cannot end a value, regular expressions. */
const LITERAL =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?{};>]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\//;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const PARTS = new RegExp(`(${LITERAL.source})|${COMMENT.source}|\\s+`, "g");

/**
 * The text of a function on one line: without comments, indentation, the comma of a last line, and
 * the gaps that types leave when they are taken out. Strings and regular expressions stay as written, except that a line
 * break in a template becomes `\n`.
 */
export const oneLine = (text: string): string =>
  text
    .replace(PARTS, (_part, literal?: string) => literal?.replaceAll("\n", "\\n") ?? " ")
    .split(new RegExp(`(${LITERAL.source})`))
    .map((part, i) => (i % 2 === 1 ? part : withoutGaps(part)))
    .join("")
    .trim();

const withoutGaps = (code: string): string =>
  code
    .replace(/ +/g, " ")
    .replace(/ (?=[),.;\]])|(?<=[([]) /g, "")
    .replace(/,(?= ?[)\]}])/g, "");
