/** HTML with one tag a line, for golden files. */
export const lines = (html: string): string[] =>
  html
    .replaceAll(/(?:&#847;&zwnj;&nbsp;){80}/g, "(80 fillers)")
    .split(/(?<=>)(?=<)|\n|(?=<)|(?<=\})(?=[^}<])/)
    .filter((line) => line !== "");
