/** A mail or reply read. `truth`: the right reading. `got`: kinds that were read, `none` if it was no report. */
export type Read = { truth: string; got: string; what: string };

/** Confusion table of readings. `text`: rows by truth, columns by what was read. `recall` and `precision` as shares. */
export const confusionOf = (read: readonly Read[]) => {
  const at = (truth: string, got: string) => read.filter((one) => one.truth === truth && one.got === got).length;
  const recall = (kind: string) => at(kind, kind) / read.filter(({ truth }) => truth === kind).length;
  const precision = (kind: string) => at(kind, kind) / read.filter(({ got }) => got === kind).length;
  const truths = [...new Set(read.map(({ truth }) => truth))];
  const kinds = [...new Set([...truths, ...read.map(({ got }) => got)])];
  const rows = truths.map((truth) => [truth, ...kinds.map((got) => at(truth, got)), recall(truth).toFixed(3)]);
  const last = ["precision", ...kinds.map((kind) => precision(kind).toFixed(3)), ""];
  return {
    wrong: read.flatMap(({ truth, got, what }) => (truth === got ? [] : [`${truth}, read as ${got}: ${what}`])),
    recall,
    precision,
    text: [["truth", ...kinds, "recall"], ...rows, last]
      .map((row) =>
        row
          .map((cell) => String(cell).padEnd(10))
          .join("")
          .trimEnd(),
      )
      .join("\n"),
  };
};
