/** A measured figure and its bound. */
export type Figure = { what: string; value: string; wanted?: string; good?: boolean };

export const atLeast = (what: string, value: number, least: number, digits = 2, unit = ""): Figure => ({
  what,
  value: `${value.toFixed(digits)}${unit}`,
  wanted: `≥ ${least}${unit}`,
  good: value >= least,
});
export const atMost = (what: string, value: number, most: number, digits = 2, unit = ""): Figure => ({
  what,
  value: `${value.toFixed(digits)}${unit}`,
  wanted: `≤ ${most}${unit}`,
  good: value <= most,
});

export const withoutBound = ({ what, value }: Figure): Figure => ({ what, value });

export const show = ({ what, value, wanted = "", good }: Figure): string =>
  `  ${what.padEnd(72)}${value.padStart(12)}  ${wanted.padEnd(12)}${good === undefined ? "" : good ? "✓" : "✗"}`;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const until = async (what: string, condition: () => Promise<boolean> | boolean, ms: number): Promise<void> => {
  for (const end = performance.now() + ms; !(await condition()); await sleep(50))
    if (performance.now() > end) throw new Error(`Not within ${Math.round(ms / 1000)} s: ${what}.`);
};
