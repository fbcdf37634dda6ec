import Papa from "papaparse";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A first line such as `sep=;`, which Excel writes. */
export const SEP = /^"?sep=([,;\t|])"?(?=\n|$)/i;

/** Returns the delimiter that a person asked for, else the one that the file names, else a guess from ten rows. */
export const delimiterOf = (head: string, asked: Delimiter | undefined): Delimiter => {
  if (asked) return asked;
  const [, named] = SEP.exec(head) ?? [];
  if (named !== undefined) return named as Delimiter;
  const { meta } = Papa.parse(head, {
    preview: 10,
    delimitersToGuess: [...DELIMITERS],
    newline: "\n",
    skipEmptyLines: "greedy",
  });
  return DELIMITERS.find((one) => one === meta.delimiter) ?? ",";
};
