import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { accepting, acceptingIntoMany } from "./outbox/accept.ts";
import { joined, limitUsed, urgentMail } from "./outbox/delivery.ts";
import { minute } from "./outbox/minute.ts";
import { type Figure, show, withoutBound } from "./outbox/report.ts";
import { rowsWritten } from "./outbox/rows.ts";
import { startService } from "./outbox/service.ts";
import { sizeBound } from "./outbox/size.ts";
import { start } from "./outbox/start.ts";
import { strangers } from "./outbox/strangers.ts";

const HELP = `Measures the bridge in local workerd, without a proxy in front, and fails when a figure misses its bound.
Uses only the loopback network. Ratios compare figures of one run; absolute figures need an idle machine.

  npm run bench                  all of it, about twenty-three minutes
  npm run bench -- --quick       smaller backlogs and fewer rounds, about eleven minutes; only the rows written have a bound
  npm run bench -- --only accept,minute,rows,limit,urgent,joined,large,strangers,size
  npm run bench -- --only size --minutes 10   how long a journal is kept at its size bound, default 2`;

const PARTS = ["accept", "minute", "rows", "limit", "urgent", "joined", "large", "strangers", "size"] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    minutes: { type: "string", default: "2" },
    only: { type: "string", default: PARTS.join(",") },
    help: { type: "boolean", short: "h", default: false },
  },
});

const main = async (): Promise<boolean> => {
  const only = values.only.split(",").map((part) => part.trim());
  const unknown = only.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts are ${PARTS.join(", ")}.`);
  const { quick } = values;
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not "${values.minutes}".`);
  const service = await startService();
  const inOne = async (work: (bench: Awaited<ReturnType<typeof start>>) => Promise<Figure[]>) => {
    const bench = await start(service.url);
    try {
      return await work(bench);
    } finally {
      await bench.stop();
    }
  };
  const parts: Record<Part, () => Promise<Figure[]>> = {
    accept: () => inOne((bench) => accepting(bench, quick ? 7 : 25, 2_500)),
    minute: () => inOne((bench) => minute(bench, quick ? 2 : 6, 1_000)),
    rows: async () => {
      service.limits = false;
      const figures = await inOne((bench) => rowsWritten(bench, quick ? 400 : 2_000));
      service.limits = true;
      return figures;
    },
    limit: () => limitUsed(service, quick ? 15 : 60),
    urgent: async () => [
      ...(await urgentMail(service, quick ? 2_000 : 10_000, quick ? 15 : 100, false)),
      ...(await urgentMail(service, quick ? 2_000 : 10_000, quick ? 15 : 100, true)),
    ],
    joined: () => joined(service, 10_000, 100),
    strangers: () => strangers(service, { waiting: quick ? 10_000 : 60_000, seconds: quick ? 3 : 5 }),
    size: () => sizeBound(service.url, minutes),
    large: () => inOne((bench) => acceptingIntoMany(bench, quick ? 100_000 : 1_000_000, quick ? 5 : 9)),
  };
  const [cpu] = cpus();
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version}`,
  );
  const figures: Figure[] = [];
  try {
    for (const part of PARTS.filter((name) => only.includes(name))) {
      console.log(`\n${part}`);
      for (const measured of await parts[part]()) {
        // The noise of a short run exceeds time bounds, but not row counts.
        const figure = quick && part !== "rows" ? withoutBound(measured) : measured;
        figures.push(figure);
        console.log(show(figure));
      }
    }
  } finally {
    service.stop();
  }
  const failed = figures.filter(({ good }) => good === false);
  console.log(
    failed.length === 0 ? "\nEvery figure is within its bound." : `\nFigures that miss their bound: ${failed.length}.`,
  );
  return failed.length === 0;
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
