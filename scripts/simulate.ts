import { runCommand, wholeNumber } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

const SIMULATIONS = {
  outbox: { project: "workerd", file: "test/workerd/simulation/simulation.test.ts", prefix: "SIMULATION" },
  workflows: {
    project: "unit",
    file: "test/unit/email/policy/workflows/simulation/simulation.test.ts",
    prefix: "WORKFLOWS",
  },
  campaigns: {
    project: "unit-mocked",
    file: "test/unit/email/policy/campaigns/simulation/simulation.test.ts",
    prefix: "CAMPAIGNS",
  },
  sending: {
    project: "unit",
    file: "test/unit/email/workspace/sending/simulation/simulation.test.ts",
    prefix: "SENDING",
  },
} as const;

type Simulation = keyof typeof SIMULATIONS;

const simulationOf = (name: string): Simulation => {
  if (Object.hasOwn(SIMULATIONS, name)) return name as Simulation;
  throw new Error(`There is no simulation "${name}". It is one of: ${Object.keys(SIMULATIONS).join(", ")}.`);
};

await runCommand({
  name: "simulate",
  help: `Runs simulations: each seed decides what arrives, crashes, failures of the other side and more. Every promise is checked.

  npm run simulate                              the Outbox, 2 000 seeds
  npm run simulate -- sending                   claims of mails, Mailers and a relay, 2 000 seeds
  npm run simulate -- workflows                 contacts in workflows, with crashes, edits and pauses, 2 000 seeds
  npm run simulate -- campaigns                 campaigns with pauses, crashes, limits and changes of contacts, 2 000 seeds
  npm run simulate -- --seeds 10000 --from 5000
  npm run simulate -- sending --seed 42         runs a printed failure again, with its trace

Options
  --seeds n   how many seeds (default: 2000)
  --from n    the first seed (default: 1)
  --seed n    this seed alone
  --help      this text`,
  arguments: 1,
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
  },
  main: ({ seeds, from, seed }, [name = "outbox"]) => {
    const { project, file, prefix } = SIMULATIONS[simulationOf(name)];
    return runTests(["--project", project, file], {
      [`${prefix}_SEEDS`]: String(wholeNumber("seeds", seeds, { min: 1 })),
      [`${prefix}_FROM`]: String(wholeNumber("from", from)),
      [`${prefix}_SEED`]: seed === undefined ? "" : String(wholeNumber("seed", seed)),
    });
  },
});
