import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Figure, show, withoutBound } from "./outbox/report.ts";
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

const PARTS = ["unsigned", "signed", "baseline", "urgent", "profile"] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    mails: { type: "string" },
    mailers: { type: "string", default: "1,2,4,8" },
    only: { type: "string", default: PARTS.join(",") },
    help: { type: "boolean", short: "h", default: false },
  },
});

const numberOf = (option: string, text: string): number => {
  const number = Number(text);
  if (!(Number.isInteger(number) && number >= 1)) throw new Error(`${option} must be at least 1, not "${text}".`);
  return number;
};

const titled = (title: string, figures: Figure[]): Figure[] => [
  { what: title, value: "" },
  ...figures.map((figure) => ({ ...figure, what: `  ${figure.what}` })),
];

const main = async (): Promise<boolean> => {
  const only = values.only.split(",").map((part) => part.trim());
  const unknown = only.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts are ${PARTS.join(", ")}.`);
  const { quick } = values;
  const mails = numberOf("--mails", values.mails ?? (quick ? "2000" : "10000"));
  const mailers = values.mailers.split(",").map((text) => numberOf("--mailers", text));
  const sink = await startSink();
  const parts: Record<Part, () => Promise<Figure[]>> = {
    unsigned: () => throughput(sink, { mails, mailers, isSigned: false }),
    signed: () => throughput(sink, { mails: Math.ceil(mails / 2), mailers, isSigned: true }),
    baseline: () => baseline(sink, mails),
    profile: async () => [
      ...titled("unsigned", await profileOf(sink, mails, false)),
      ...titled("signed", await profileOf(sink, mails, true)),
    ],
    urgent: () => urgentMail(sink, quick ? { backlog: 10_000, mails: 10 } : { backlog: 100_000, mails: 100 }),
  };
  const [cpu] = cpus();
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}`,
  );
  const failed: Figure[] = [];
  try {
    for (const part of PARTS.filter((name) => only.includes(name))) {
      console.log(`\n${part}`);
      for (const measured of await parts[part]()) {
        const figure = quick ? withoutBound(measured) : measured;
        if (figure.good === false) failed.push(figure);
        console.log(show(figure));
      }
    }
  } finally {
    sink.stop();
  }
  console.log(
    failed.length === 0 ? "\nNo figure misses its bound." : `\nFigures that miss their bound: ${failed.length}.`,
  );
  return failed.length === 0;
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
