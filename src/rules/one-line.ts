/** Matches strings and, after a character that cannot end a value, regular expressions. */
const LITERAL =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?{};>]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\//;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const PARTS = new RegExp(`(${LITERAL.source})|${COMMENT.source}|\\s+`, "g");

/** Puts a function's text on one line, without comments. */
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
