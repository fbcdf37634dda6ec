import { runCommand, wholeNumber } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

await runCommand({
  name: "fuzz:lmx",
  help: `Compiles random documents and changed real ones, fills them with hostile values, and has an HTML parser look for what escaped.

  npm run fuzz:lmx                      100 000 documents from a new seed, some minutes
  npm run fuzz:lmx -- --runs 20000
  npm run fuzz:lmx -- --seed 12         runs a printed failure again

Options
  --runs n   documents (default: 100000)
  --seed n   a seed that a failure printed (default: a new one)
  --help     this text`,
  options: { runs: { type: "string", default: "100000" }, seed: { type: "string" } },
  main: ({ runs, seed }) =>
    runTests(["--project", "unit", "test/unit/lib/lmx/fuzz.test.ts"], {
      LMX_FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 100 })),
      LMX_FUZZ_SEED: seed ?? "",
    }),
});
