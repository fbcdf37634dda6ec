import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { keepStateInMemory } from "../scripts/lib/memory.ts";
import { control } from "./campaigns/control.ts";
import { profile } from "./campaigns/profile.ts";
import { rate } from "./campaigns/rate.ts";
import { partOptions, partsIn, runParts } from "./parts.ts";
import { startSink } from "./sending/start.ts";

const PARTS = ["unsigned", "signed", "control", "profile"] as const;

const CAMPAIGNS = define({
  name: "bench:campaigns",
  about: `Measures campaigns in local workerd. Mails go to an SMTP server on the loopback network that takes every mail at once. The
state is in memory, so that the disk of the machine counts in no figure. Absolute figures need an idle machine. Fails out of bounds.`,
  examples: [
    ["", "all of it, about six minutes"],
    ["--quick", "about a minute"],
    ["--only unsigned --recipients 20000"],
  ],
  options: {
    ...partOptions(PARTS, "fewer recipients and no bounds"),
    recipients: { value: "n", about: "recipients (default: 100000, or 3000 with --quick)" },
    delay: { value: "ms", default: "0", about: "time until the SMTP server has taken a mail" },
    contacts: { value: "n", about: "contacts of control (default: 1000000, or 20000 with --quick)" },
  },
  notes: `unsigned, signed   mails a second beside those of npm run bench:sending, with API requests and transactional mail meanwhile
control            a campaign to a million contacts: snapshot, memory, pause, resume, cancel
profile            what uses the CPU time`,
});

await runCommand(CAMPAIGNS, async ({ values: { quick, only, ...values } }) => {
  const wanted = partsIn(only, PARTS);
  const range = { min: 1_000, max: 1_000_000 };
  const recipients = wholeNumber("recipients", values.recipients ?? (quick ? "3000" : "100000"), range);
  const contacts = wholeNumber("contacts", values.contacts ?? (quick ? "20000" : "1000000"), range);
  keepStateInMemory();
  const sink = await startSink(wholeNumber("delay", values.delay));
  const parts = {
    unsigned: () => rate(sink, { recipients, isSigned: false }),
    signed: () => rate(sink, { recipients: Math.ceil(recipients / 5), isSigned: true }),
    control: () => control(sink, contacts),
    profile: () => profile(sink, Math.ceil(recipients / 5)),
  };
  try {
    return await runParts(parts, { wanted, quick });
  } finally {
    sink.stop();
  }
});
