import { parseArgs } from "node:util";
import { numberOf, runParts } from "./parts.ts";
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

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    runs: { type: "string" },
    contacts: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const main = async (): Promise<boolean> => {
  const { quick } = values;
  const range = { min: 1_000, max: 1_000_000 };
  const runs = numberOf("--runs", values.runs ?? (quick ? "5000" : "100000"), range);
  const contacts = numberOf("--contacts", values.contacts ?? (quick ? "20000" : "1000000"), range);
  const sink = await startSink();
  const parts = {
    steps: () => steps(runs),
    mails: () => mails(sink, runs),
    entries: () => entries(runs),
    travel: timeTravel,
    segments: () => segments(contacts),
    history: () => history(contacts),
  };
  try {
    return await runParts(parts, { only: values.only, quick });
  } finally {
    sink.stop();
  }
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
