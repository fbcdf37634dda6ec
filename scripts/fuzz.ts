import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `Sends generated requests to the email service, in process, and holds every answer against its promises.

  npm run fuzz                              20 000 requests from a new seed
  npm run fuzz -- --runs 100000
  npm run fuzz -- --seed 12 --path 31:0:2   what a failure has printed`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20000" },
    seed: { type: "string", default: "" },
    path: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--silent=false", "--project", "workerd", "test/workerd/email/fuzz/fuzz.test.ts"],
    {
      cwd: join(import.meta.dirname, ".."),
      stdio: "inherit",
      env: { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: values.seed, FUZZ_PATH: values.path },
    },
  );
  process.exitCode = status ?? 1;
}
