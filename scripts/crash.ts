import { runCommand, wholeNumber } from "./lib/cli.ts";
import { runTests } from "./lib/run-tests.ts";

const KILLED = {
  bridge: ["test/faults/crash.test.ts", "test/faults/crash-load.test.ts"],
  sending: ["test/faults/crash-sending.test.ts"],
  imports: ["test/faults/crash-imports.test.ts"],
  campaigns: ["test/faults/crash-campaigns.test.ts"],
} as const;

type Killed = keyof typeof KILLED;

const filesOf = (names: readonly string[]): string[] =>
  (names.length === 0 ? Object.keys(KILLED) : names).flatMap((name) => {
    if (Object.hasOwn(KILLED, name)) return KILLED[name as Killed];
    throw new Error(`There is no crash test "${name}". It is one of: ${Object.keys(KILLED).join(", ")}.`);
  });

await runCommand({
  name: "crash",
  help: `Kills whole process groups with kill -9, starts them again on the same state, and checks what is left.

  npm run crash                              all of them
  npm run crash -- bridge                    right after 200 webhooks were accepted, and while webhooks arrive
  npm run crash -- sending                   between every two steps of a mail, and while mails are sent to a relay
  npm run crash -- imports                   while a file is uploaded, and while its rows are imported
  npm run crash -- campaigns                 while a campaign is launched, sent, paused, resumed, retried and cancelled
  npm run crash -- sending --crashes 5

Mails go to a small SMTP server of this repository (test/relay), which accepts every mail and keeps it through the kills.
npm run test:smtp sends through Postfix.

Options
  --crashes n      kills under load, while rows are imported, and during campaigns (default: 20)
  --recipients n   of a campaign (default: 20000)
  --seed n         repeats the kills during campaigns of a run that has printed it
  --help           this text`,
  arguments: 1,
  options: {
    crashes: { type: "string", default: "20" },
    recipients: { type: "string", default: "20000" },
    seed: { type: "string" },
  },
  main: ({ crashes, recipients, seed }, names) =>
    runTests(["--config", "test/faults/vitest.config.ts", ...filesOf(names)], {
      CRASHES: String(wholeNumber("crashes", crashes, { min: 1 })),
      RECIPIENTS: String(wholeNumber("recipients", recipients, { min: 500 })),
      ...(seed === undefined ? {} : { SEED: String(wholeNumber("seed", seed, { min: 1 })) }),
    }),
});
