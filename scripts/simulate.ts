import { runFuzz } from "./fuzz-run.ts";
import { runCommand, wholeNumber } from "./lib/cli.ts";

await runCommand({
  name: "simulate",
  help: `Runs the Outbox in simulations: each seed decides webhooks, crashes, failures of the host and clock jumps.
Every promise is checked.

  npm run simulate                              2 000 seeds
  npm run simulate -- --seeds 10000 --from 5000
  npm run simulate -- --seed 42                 runs a printed failure again, with its whole trace

Options
  --seeds n   how many seeds (default: 2000)
  --from n    the first seed (default: 1)
  --seed n    this seed alone
  --help      this text`,
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
  },
  main: ({ seeds, from, seed }) =>
    runFuzz("workerd", "test/workerd/simulation/simulation.test.ts", {
      SIMULATION_SEEDS: String(wholeNumber("seeds", seeds)),
      SIMULATION_FROM: String(wholeNumber("from", from)),
      SIMULATION_SEED: seed === undefined ? "" : String(wholeNumber("seed", seed)),
    }),
});
