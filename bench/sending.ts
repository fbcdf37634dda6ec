import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import type { Figure } from "./outbox/report.ts";
import { partOptions, partsIn, runParts } from "./parts.ts";
import { profileOf } from "./sending/profile.ts";
import { startSink } from "./sending/start.ts";
import { baseline, throughput } from "./sending/throughput.ts";
import { urgentMail } from "./sending/urgent.ts";

const PARTS = ["unsigned", "signed", "baseline", "profile", "urgent"] as const;

const SENDING = define({
  name: "bench:sending",
  about: `Measures how fast the email Worker sends mails of 10 kB in local workerd, to an SMTP server on the loopback network
that takes every mail at once. Absolute figures need an idle machine. Fails out of bounds.`,
  examples: [
    ["", "all of it, about three minutes"],
    ["--quick", "about two minutes"],
    ["--only unsigned --mails 50000 --mailers 4"],
  ],
  options: {
    ...partOptions(PARTS, "fewer mails and no bounds"),
    mails: { value: "n", about: "mails (default: 10000, or 2000 with --quick)" },
    delay: { value: "ms", default: "0", about: "time until the SMTP server has taken a mail" },
    mailers: { value: "list", default: "1,2,4,8", about: "how many Mailers send them" },
  },
});

const titled = (title: string, figures: Figure[]): Figure[] => [
  { what: title, value: "" },
  ...figures.map((figure) => ({ ...figure, what: `  ${figure.what}` })),
];

await runCommand(SENDING, async ({ values: { quick, only, ...values } }) => {
  const wanted = partsIn(only, PARTS);
  const mails = wholeNumber("mails", values.mails ?? (quick ? "2000" : "10000"), { min: 1 });
  const mailers = values.mailers.split(",").map((text) => wholeNumber("mailers", text, { min: 1 }));
  const sink = await startSink(wholeNumber("delay", values.delay));
  const parts = {
    unsigned: () => throughput(sink, { mails, mailers, isSigned: false }),
    signed: () => throughput(sink, { mails: Math.ceil(mails / 2), mailers, isSigned: true }),
    baseline: () => baseline(sink, mails),
    profile: async () => [
      ...titled("unsigned", await profileOf(sink, mails, false)),
      ...titled("signed", await profileOf(sink, mails, true)),
    ],
    urgent: () => urgentMail(sink, quick ? { backlog: 10_000, mails: 10 } : { backlog: 100_000, mails: 100 }),
  };
  try {
    return await runParts(parts, { wanted, quick });
  } finally {
    sink.stop();
  }
});
