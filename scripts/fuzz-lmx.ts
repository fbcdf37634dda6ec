import { seedOf, wholeNumber } from "./lib/cli.ts";
import { define, runCommand } from "./lib/command.ts";
import { runTests } from "./lib/run-tests.ts";

const FUZZ_LMX = define({
  name: "fuzz:lmx",
  about:
    "Compiles random documents and changed real ones, fills them with hostile values, and has an HTML parser look for what escaped.",
  examples: [
    ["", "100 000 documents from a new seed, some minutes"],
    ["--runs 20000"],
    ["--seed 12", "runs a printed failure again"],
  ],
  options: {
    runs: { value: "n", default: "100000", about: "documents" },
    seed: { value: "n", about: "a seed that a failure printed (default: a new one)" },
  },
});

await runCommand(FUZZ_LMX, ({ values: { runs, seed } }) =>
  runTests(["--project", "unit", "test/unit/lib/lmx/fuzz.test.ts"], {
    LMX_FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 100 })),
    LMX_FUZZ_SEED: seedOf(seed),
  }),
);
