import { cpus } from "node:os";
import { meant, UsageError } from "../scripts/lib/cli.ts";
import { type Figure, show, withoutBound } from "./outbox/report.ts";

/** The options of a bench in parts. */
export const partOptions = (parts: readonly string[], quick: string) => ({
  quick: { about: quick },
  only: { value: "parts", about: `only these, with commas between them: ${parts.join(", ")}` },
});

/** Parses `--only`. Throws UsageError. */
export const partsIn = <Part extends string>(only: string | undefined, all: readonly Part[]): readonly Part[] => {
  const wanted = only?.split(",").map((part) => part.trim());
  const unknown = wanted?.find((part) => !all.includes(part as Part));
  if (unknown !== undefined) throw new UsageError(`--only: there is no part "${unknown}". ${meant(unknown, all)}`);
  return wanted === undefined ? all : all.filter((part) => wanted.includes(part));
};

/** Returns true if all are within bounds. `quick`: only the figures of `bounded` have bounds. */
export const runParts = async <Part extends string>(
  parts: Readonly<Record<Part, () => Promise<Figure[]>>>,
  { wanted, quick, bounded }: { wanted: readonly Part[]; quick: boolean; bounded?: Part },
): Promise<boolean> => {
  const [cpu] = cpus();
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}`,
  );
  let missed = 0;
  for (const part of wanted) {
    console.log(`\n${part}`);
    for (const measured of await parts[part]()) {
      // The noise of a short run exceeds time bounds, but not row counts.
      const figure = quick && part !== bounded ? withoutBound(measured) : measured;
      if (figure.good === false) missed += 1;
      console.log(show(figure));
    }
  }
  if (quick && bounded === undefined) console.log("\nWith --quick, figures have no bounds.");
  else console.log(missed === 0 ? "\nNo figure misses its bound." : `\nFigures that miss their bound: ${missed}.`);
  return missed === 0;
};
