import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `Sends random and changed webhooks to the door, in process, with every handler as a source.

  npm run fuzz:handlers                     20 000 requests from a new seed
  npm run fuzz:handlers -- --runs 100000
  npm run fuzz:handlers -- --seed 12        what a failure has printed`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20000" },
    seed: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--silent=false", "--project", "unit", "test/unit/handlers-fuzz.test.ts"],
    {
      cwd: join(import.meta.dirname, ".."),
      stdio: "inherit",
      env: { ...process.env, HANDLER_FUZZ_RUNS: values.runs, HANDLER_FUZZ_SEED: values.seed },
    },
  );
  process.exitCode = status ?? 1;
}
