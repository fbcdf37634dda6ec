import { parseArgs } from "node:util";
import type { Figure } from "./outbox/report.ts";
import { numberOf, runParts } from "./parts.ts";
import { profileOf } from "./sending/profile.ts";
import { startSink } from "./sending/start.ts";
import { baseline, throughput } from "./sending/throughput.ts";
import { urgentMail } from "./sending/urgent.ts";

const HELP = `Measures how fast the email Worker sends mails of 10 kB in local workerd, to an SMTP server on the loopback network
that takes every mail at once. Absolute figures need an idle machine. Fails out of bounds.

  npm run bench:sending                  all of it, about three minutes
  npm run bench:sending -- --quick       fewer mails and no bounds, about two minutes
  npm run bench:sending -- --only unsigned,signed,baseline,urgent,profile
  npm run bench:sending -- --only unsigned --mails 50000 --mailers 4`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    mails: { type: "string" },
    mailers: { type: "string", default: "1,2,4,8" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const titled = (title: string, figures: Figure[]): Figure[] => [
  { what: title, value: "" },
  ...figures.map((figure) => ({ ...figure, what: `  ${figure.what}` })),
];

const main = async (): Promise<boolean> => {
  const { quick } = values;
  const mails = numberOf("--mails", values.mails ?? (quick ? "2000" : "10000"));
  const mailers = values.mailers.split(",").map((text) => numberOf("--mailers", text));
  const sink = await startSink();
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
    return await runParts(parts, { only: values.only, quick });
  } finally {
    sink.stop();
  }
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
