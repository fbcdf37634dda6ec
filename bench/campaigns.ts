import { parseArgs } from "node:util";
import { keepStateInMemory } from "../scripts/lib/memory.ts";
import { control } from "./campaigns/control.ts";
import { profile } from "./campaigns/profile.ts";
import { rate } from "./campaigns/rate.ts";
import { numberOf, runParts } from "./parts.ts";
import { startSink } from "./sending/start.ts";

const HELP = `Measures campaigns in local workerd. Mails go to an SMTP server on the loopback network that takes every mail at once. The
state is in memory, so that the disk of the machine counts in no figure. Absolute figures need an idle machine. Fails out of bounds.

  npm run bench:campaigns                  all of it, about six minutes
  npm run bench:campaigns -- --quick       fewer recipients and no bounds, about a minute
  npm run bench:campaigns -- --only unsigned --recipients 20000
  npm run bench:campaigns -- --only unsigned,signed,control,profile

unsigned, signed   mails a second beside those of npm run bench:sending, with API requests and transactional mail meanwhile
control            a campaign to a million contacts: snapshot, memory, pause, resume, cancel
profile            what uses the CPU time`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    recipients: { type: "string" },
    contacts: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const main = async (): Promise<boolean> => {
  const { quick } = values;
  const range = { min: 1_000, max: 1_000_000 };
  const recipients = numberOf("--recipients", values.recipients ?? (quick ? "3000" : "100000"), range);
  const contacts = numberOf("--contacts", values.contacts ?? (quick ? "20000" : "1000000"), range);
  keepStateInMemory();
  const sink = await startSink();
  const parts = {
    unsigned: () => rate(sink, { recipients, isSigned: false }),
    signed: () => rate(sink, { recipients: Math.ceil(recipients / 5), isSigned: true }),
    control: () => control(sink, contacts),
    profile: () => profile(sink, Math.ceil(recipients / 5)),
  };
  try {
    return await runParts(parts, { only: values.only, quick });
  } finally {
    sink.stop();
  }
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
