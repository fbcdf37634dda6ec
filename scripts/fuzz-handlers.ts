import { seedOf, wholeNumber } from "./lib/cli.ts";
import { define, runCommand } from "./lib/command.ts";
import { runTests } from "./lib/run-tests.ts";

const FUZZ_HANDLERS = define({
  name: "fuzz:handlers",
  about: "Sends random and changed webhooks to the door, in this process, with every handler as a source.",
  examples: [["", "20 000 requests from a new seed"], ["--runs 100000"], ["--seed 12", "runs a printed failure again"]],
  options: {
    runs: { value: "n", default: "20000", about: "requests" },
    seed: { value: "n", about: "a seed that a failure printed (default: a new one)" },
  },
});

await runCommand(FUZZ_HANDLERS, ({ values: { runs, seed } }) =>
  runTests(["--project", "unit", "test/unit/handlers/handlers-fuzz.test.ts"], {
    HANDLER_FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 1 })),
    HANDLER_FUZZ_SEED: seedOf(seed),
  }),
);
