import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Figure, show, withoutBound } from "./outbox/report.ts";
import { segments } from "./segments/measure.ts";
import { startSink } from "./sending/start.ts";
import { mails, steps } from "./workflows/burst.ts";
import { entries } from "./workflows/entries.ts";
import { history } from "./workflows/history.ts";
import { timeTravel } from "./workflows/travel.ts";

const HELP = `Measures workflows in local workerd. Absolute figures need an idle machine. Fails out of bounds.

  npm run bench:workflows                  all of it, about five minutes
  npm run bench:workflows -- --quick       fewer runs and no bounds, about a minute
  npm run bench:workflows -- --only steps --runs 20000
  npm run bench:workflows -- --only steps,mails,entries,travel,segments,history`;

const PARTS = ["steps", "mails", "entries", "travel", "segments", "history"] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    runs: { type: "string" },
    contacts: { type: "string" },
    only: { type: "string", default: PARTS.join(",") },
    help: { type: "boolean", short: "h", default: false },
  },
});

const numberOf = (option: string, text: string): number => {
  const number = Number(text);
  if (!(Number.isInteger(number) && number >= 1_000 && number <= 1_000_000))
    throw new Error(`${option} must be 1000 to 1000000, not "${text}".`);
  return number;
};

const main = async (): Promise<boolean> => {
  const only = values.only.split(",").map((part) => part.trim());
  const unknown = only.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts are ${PARTS.join(", ")}.`);
  const { quick } = values;
  const runs = numberOf("--runs", values.runs ?? (quick ? "5000" : "100000"));
  const contacts = numberOf("--contacts", values.contacts ?? (quick ? "20000" : "1000000"));
  const sink = await startSink();
  const parts: Record<Part, () => Promise<Figure[]>> = {
    steps: () => steps(runs),
    mails: () => mails(sink, runs),
    entries: () => entries(runs),
    travel: timeTravel,
    segments: () => segments(contacts),
    history: () => history(contacts),
  };
  const [cpu] = cpus();
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}`,
  );
  const failed: Figure[] = [];
  try {
    for (const part of PARTS.filter((name) => only.includes(name))) {
      console.log(`\n${part}`);
      for (const measured of await parts[part]()) {
        const figure = quick ? withoutBound(measured) : measured;
        if (figure.good === false) failed.push(figure);
        console.log(show(figure));
      }
    }
  } finally {
    sink.stop();
  }
  if (quick) console.log("\nWith --quick, figures have no bounds.");
  else
    console.log(
      failed.length === 0 ? "\nNo figure misses its bound." : `\nFigures that miss their bound: ${failed.length}.`,
    );
  return failed.length === 0;
};

if (values.help) console.log(HELP);
else
  process.exitCode = await main().then(
    (isGood) => (isGood ? 0 : 1),
    (error: Error) => {
      console.error(error.message);
      return 1;
    },
  );
