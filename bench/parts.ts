import { cpus } from "node:os";
import { type Figure, show, withoutBound } from "./outbox/report.ts";

type Parts = Readonly<Record<string, () => Promise<Figure[]>>>;

export const numberOf = (option: string, text: string, { min = 1, max = Number.MAX_SAFE_INTEGER } = {}): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`;
  throw new Error(`${option} must be ${range}, not "${text}".`);
};

/** Returns true if all are within bounds. `quick`: no bounds. */
export const runParts = async (
  parts: Parts,
  { only, quick }: { only: string | undefined; quick: boolean },
): Promise<boolean> => {
  const all = Object.keys(parts);
  const wanted = only?.split(",").map((part) => part.trim()) ?? all;
  const unknown = wanted.find((part) => !all.includes(part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts are ${all.join(", ")}.`);
  const [cpu] = cpus();
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}`,
  );
  let missed = 0;
  for (const part of all.filter((name) => wanted.includes(name))) {
    console.log(`\n${part}`);
    for (const measured of (await parts[part]?.()) ?? []) {
      const figure = quick ? withoutBound(measured) : measured;
      if (figure.good === false) missed += 1;
      console.log(show(figure));
    }
  }
  if (quick) console.log("\nWith --quick, figures have no bounds.");
  else console.log(missed === 0 ? "\nNo figure misses its bound." : `\nFigures that miss their bound: ${missed}.`);
  return missed === 0;
};
