import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { partOptions, partsIn, runParts } from "./parts.ts";
import { segments } from "./segments/measure.ts";
import { startSink } from "./sending/start.ts";
import { mails, steps } from "./workflows/burst.ts";
import { entries } from "./workflows/entries.ts";
import { history } from "./workflows/history.ts";
import { timeTravel } from "./workflows/travel.ts";

const PARTS = ["steps", "mails", "entries", "travel", "segments", "history"] as const;

const WORKFLOWS = define({
  name: "bench:workflows",
  about: "Measures workflows in local workerd. Absolute figures need an idle machine. Fails out of bounds.",
  examples: [["", "all of it, about five minutes"], ["--quick", "about a minute"], ["--only steps --runs 20000"]],
  options: {
    ...partOptions(PARTS, "fewer runs and no bounds"),
    runs: { value: "n", about: "runs (default: 100000, or 5000 with --quick)" },
    contacts: { value: "n", about: "contacts of segments and history (default: 1000000, or 20000 with --quick)" },
  },
});

await runCommand(WORKFLOWS, async ({ values: { quick, only, ...values } }) => {
  const wanted = partsIn(only, PARTS);
  const range = { min: 1_000, max: 1_000_000 };
  const runs = wholeNumber("runs", values.runs ?? (quick ? "5000" : "100000"), range);
  const contacts = wholeNumber("contacts", values.contacts ?? (quick ? "20000" : "1000000"), range);
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
    return await runParts(parts, { wanted, quick });
  } finally {
    sink.stop();
  }
});
