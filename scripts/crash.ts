import { entryOf, wholeNumber } from "./lib/cli.ts";
import { define, runCommand } from "./lib/command.ts";
import { runTests } from "./lib/run-tests.ts";

const KILLED = {
  bridge: ["test/faults/crash.test.ts", "test/faults/crash-load.test.ts"],
  sending: ["test/faults/crash-sending.test.ts"],
  imports: ["test/faults/crash-imports.test.ts"],
  campaigns: ["test/faults/crash-campaigns.test.ts"],
};

const CRASH = define({
  name: "crash",
  about:
    "Kills whole process groups with kill -9, starts them again on the same state, and checks what is left. Without a name: all of them.",
  examples: [
    ["bridge", "right after 200 webhooks were accepted, and while webhooks arrive"],
    ["sending", "between every two steps of a mail, and while mails are sent to a mail provider"],
    ["imports", "while a file is uploaded, and while its rows are imported"],
    ["campaigns", "while a campaign is started, sent, paused, resumed, retried and cancelled"],
    ["sending --crashes 5"],
  ],
  arguments: ["[name]"],
  options: {
    crashes: { value: "n", default: "20", about: "kills under load, while rows are imported, and during campaigns" },
    recipients: { value: "n", default: "20000", about: "recipients of a campaign" },
    seed: { value: "n", about: "repeats the kills during campaigns of a run that has printed it" },
  },
  notes: `Mails go to a small SMTP server of this repository (test/mail-provider), which accepts every mail and keeps it through the kills.
npm run test:smtp sends through Postfix.`,
});

await runCommand(CRASH, ({ values: { crashes, recipients, seed }, args: [name] }) => {
  const files = name === undefined ? Object.values(KILLED).flat() : entryOf("crash test", KILLED, name);
  return runTests(["--config", "test/faults/vitest.config.ts", ...files], {
    CRASHES: String(wholeNumber("crashes", crashes, { min: 1 })),
    RECIPIENTS: String(wholeNumber("recipients", recipients, { min: 500 })),
    ...(seed === undefined ? {} : { SEED: String(wholeNumber("seed", seed, { min: 1 })) }),
  });
});
