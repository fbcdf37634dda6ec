import { parseArgs } from "node:util";
import { runFuzz } from "./fuzz-run.ts";

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
  runFuzz("workerd", "test/workerd/email/fuzz/fuzz.test.ts", {
    FUZZ_RUNS: values.runs,
    FUZZ_SEED: values.seed,
    FUZZ_PATH: values.path,
  });
}
