import { runCommand, wholeNumber } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

await runCommand({
  name: "fuzz",
  help: `Sends generated requests to the email service, in this process, and checks every answer against its promises.

  npm run fuzz                              20 000 requests from a new seed
  npm run fuzz -- --runs 100000
  npm run fuzz -- --seed 12 --path 31:0:2   runs a printed failure again

Options
  --runs n   requests (default: 20000)
  --seed n   a seed that a failure printed (default: a new one)
  --path p   with --seed: the path that the failure printed
  --help     this text`,
  options: { runs: { type: "string", default: "20000" }, seed: { type: "string" }, path: { type: "string" } },
  main: ({ runs, seed, path }) =>
    runTests(["--project", "workerd", "test/workerd/email/fuzz/fuzz.test.ts"], {
      FUZZ_RUNS: String(wholeNumber("runs", runs, { min: 1 })),
      FUZZ_SEED: seed ?? "",
      FUZZ_PATH: path ?? "",
    }),
});
