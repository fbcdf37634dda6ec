import { parseArgs } from "node:util";
import { runFuzz } from "./fuzz-run.ts";

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
  runFuzz("unit", "test/unit/handlers-fuzz.test.ts", {
    HANDLER_FUZZ_RUNS: values.runs,
    HANDLER_FUZZ_SEED: values.seed,
  });
}
