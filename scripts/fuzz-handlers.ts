import { runCommand, wholeNumber } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

await runCommand({
  name: "fuzz:handlers",
  help: `Sends random and changed webhooks to the door, in this process, with every handler as a source.

  npm run fuzz:handlers                     20 000 requests from a new seed
  npm run fuzz:handlers -- --runs 100000
  npm run fuzz:handlers -- --seed 12        runs a printed failure again

Options
  --runs n   requests (default: 20000)
  --seed n   a seed that a failure printed (default: a new one)
  --help     this text`,
  options: { runs: { type: "string", default: "20000" }, seed: { type: "string" } },
  main: ({ runs, seed }) =>
    runTests(["--project", "unit", "test/unit/handlers/handlers-fuzz.test.ts"], {
      HANDLER_FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 1 })),
      HANDLER_FUZZ_SEED: seed ?? "",
    }),
});
