/** `SAMPLE=1/3`: every third row of each table, from the second one. Set by `.ci/run`; without it all rows run. */
const [, from = "0", step = "1"] = /^(\d+)\/([1-9]\d*)$/.exec(process.env.SAMPLE ?? "0/1") ?? [];
if (process.env.SAMPLE && step === "1")
  throw new Error("SAMPLE must be like 1/3: each third row, from the second one on.");

/** The rows of a table that this run tries, at least one. Prints how many are left out. */
export const sampled = <Row>(rows: readonly Row[]): Row[] => {
  const every = Math.min(Number(step), rows.length);
  const chosen = rows.filter((_, n) => n % every === Number(from) % every);
  if (chosen.length < rows.length) console.info(`SAMPLE: ${chosen.length} of ${rows.length} rows are tried.`);
  return chosen;
};
