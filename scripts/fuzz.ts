import { seedOf, UsageError, wholeNumber } from "./lib/cli.ts";
import { define, runCommand } from "./lib/command.ts";
import { runTests } from "./lib/run-tests.ts";

const FUZZ = define({
  name: "fuzz",
  about:
    "Sends generated requests to the email service, in this process, and checks every answer against its promises.",
  examples: [
    ["", "20 000 requests from a new seed"],
    ["--runs 100000"],
    ["--seed 12 --path 31:0:2", "runs a printed failure again"],
  ],
  options: {
    runs: { value: "n", default: "20000", about: "requests" },
    seed: { value: "n", about: "a seed that a failure printed (default: a new one)" },
    path: { value: "p", about: "with --seed: the path that the failure printed" },
  },
});

await runCommand(FUZZ, ({ values: { runs, seed, path } }) => {
  if (path !== undefined && seed === undefined) throw new UsageError("--path is a path of a seed: add --seed.");
  return runTests(["--project", "workerd", "test/workerd/email/fuzz/fuzz.test.ts"], {
    FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 1 })),
    FUZZ_SEED: seedOf(seed),
    FUZZ_PATH: path ?? "",
  });
});
