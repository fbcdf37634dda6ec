import { parseArgs } from "node:util";
import { runFuzz } from "./fuzz-run.ts";

const HELP = `Runs the Outbox under schedules that seeds decide: webhooks, crashes, a failing host, clock jumps. Checks every promise.

  npm run simulate                              2 000 seeds
  npm run simulate -- --seeds 10000 --from 5000
  npm run simulate -- --seed 42                 one seed with all of its trace, what a failure has printed`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const bad = Object.entries(values).find(([, value]) => typeof value === "string" && !/^\d{0,9}$/.test(value));
if (values.help) {
  console.log(HELP);
} else if (bad || values.seeds === "" || values.from === "") {
  console.error(`--${bad?.[0] ?? "seeds and --from"} takes a whole number.\n\n${HELP}`);
  process.exitCode = 1;
} else {
  runFuzz("workerd", "test/workerd/simulation/simulation.test.ts", {
    SIMULATION_SEEDS: values.seeds,
    SIMULATION_FROM: values.from,
    SIMULATION_SEED: values.seed,
  });
}
