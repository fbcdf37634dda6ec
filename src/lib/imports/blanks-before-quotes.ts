const LIKELY = /[,;\t|\n][ \t]+"/;

/**
 * Removes blanks between a delimiter and a quoted cell, and after it: `a, "b"`. The text begins with a row. In linear
 * time; a quote that is never closed ends the search.
 */
export const withoutBlanksBeforeQuotes = (text: string, delimiter: string): string => {
  if (!LIKELY.test(text) && !/^[ \t]+"/.test(text)) return text;
  const isBlank = (at: number): boolean => text[at] === " " || (text[at] === "\t" && delimiter !== "\t");
  const isEnd = (at: number): boolean => at >= text.length || text[at] === delimiter || text[at] === "\n";
  const pastBlanks = (from: number): number => {
    let at = from;
    while (isBlank(at)) at += 1;
    return at;
  };
  let kept = "";
  let from = 0;
  let line = -1;
  let comma = -1;
  for (let cell = 0; cell < text.length; ) {
    const quote = pastBlanks(cell);
    let end = cell;
    if (text[quote] === '"') {
      const close = closingQuote(text, quote + 1);
      if (close === -1) break;
      end = pastBlanks(close + 1);
      if (isEnd(end) && quote > cell) {
        kept += text.slice(from, cell) + text.slice(quote, close + 1);
        from = end;
      }
    }
    if (line < end) line = indexFrom(text, "\n", end);
    if (comma < end) comma = indexFrom(text, delimiter, end);
    cell = Math.min(line, comma) + 1;
  }
  return kept + text.slice(from);
};

const indexFrom = (text: string, character: string, at: number): number => {
  const found = text.indexOf(character, at);
  return found === -1 ? text.length : found;
};

/** Place of the quote that ends a cell, behind doubled ones; -1 without one. */
const closingQuote = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
};
