import { entryOf, wholeNumber } from "./lib/cli.ts";
import { define, runCommand } from "./lib/command.ts";
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

const SIMULATE = define({
  name: "simulate",
  about:
    "Runs simulations: each seed decides what arrives, crashes, failures of the other side and more. Every promise is checked.",
  arguments: ["[simulation]"],
  examples: [
    ["", "the Outbox, 2 000 seeds"],
    ["sending", "claims of mails, Mailers and a mail provider, 2 000 seeds"],
    ["workflows", "contacts in workflows, with crashes, edits and pauses, 2 000 seeds"],
    ["campaigns", "campaigns with pauses, crashes, limits and changes of contacts, 2 000 seeds"],
    ["--seeds 10000 --from 5000"],
    ["sending --seed 42", "runs a printed failure again, with its trace"],
  ],
  options: {
    seeds: { value: "n", default: "2000", about: "how many seeds" },
    from: { value: "n", default: "1", about: "the first seed" },
    seed: { value: "n", about: "this seed alone" },
  },
});

await runCommand(SIMULATE, ({ values: { seeds, from, seed }, args: [name = "outbox"] }) => {
  const { project, file, prefix } = entryOf("simulation", SIMULATIONS, name);
  return runTests(["--project", project, file], {
    [`${prefix}_SEEDS`]: String(wholeNumber("seeds", seeds, { min: 1 })),
    [`${prefix}_FROM`]: String(wholeNumber("from", from)),
    [`${prefix}_SEED`]: seed === undefined ? "" : String(wholeNumber("seed", seed)),
  });
});
