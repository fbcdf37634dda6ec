import { wholeNumber } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { accepting, acceptingAfterRestart, acceptingIntoMany } from "./outbox/accept.ts";
import { joined, limitUsed, urgentMail } from "./outbox/delivery.ts";
import { minute } from "./outbox/minute.ts";
import type { Figure } from "./outbox/report.ts";
import { rowsWritten } from "./outbox/rows.ts";
import { startService } from "./outbox/service.ts";
import { sizeBound } from "./outbox/size.ts";
import { start } from "./outbox/start.ts";
import { strangers } from "./outbox/strangers.ts";
import { partOptions, partsIn, runParts } from "./parts.ts";

const PARTS = [
  "accept",
  "restart",
  "minute",
  "rows",
  "limit",
  "urgent",
  "joined",
  "large",
  "strangers",
  "size",
] as const;

const BENCH = define({
  name: "bench",
  about: `Measures the bridge in local workerd, without a proxy in front, and fails when a figure misses its bound.
Uses only the loopback network. Ratios compare figures of one run; absolute figures need an idle machine.`,
  examples: [
    ["", "all of it, about twenty-three minutes"],
    ["--quick", "about eleven minutes"],
    ["--only size --minutes 10"],
  ],
  options: {
    ...partOptions(PARTS, "smaller backlogs and fewer rounds; only the rows written have a bound"),
    minutes: { value: "n", default: "2", about: "how long a journal is kept at its size bound" },
  },
});

await runCommand(BENCH, async ({ values: { quick, only, ...values } }) => {
  const wanted = partsIn(only, PARTS);
  const minutes = wholeNumber("minutes", values.minutes, { min: 1 });
  const service = await startService();
  const inOne = async (work: (bench: Awaited<ReturnType<typeof start>>) => Promise<Figure[]>) => {
    const bench = await start(service.url);
    try {
      return await work(bench);
    } finally {
      await bench.stop();
    }
  };
  const parts = {
    accept: () => inOne((bench) => accepting(bench, quick ? 2 : 25, 1_500)),
    restart: () => inOne((bench) => acceptingAfterRestart(bench, quick ? 3 : 9)),
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
  try {
    return await runParts(parts, { wanted, quick, bounded: "rows" });
  } finally {
    service.stop();
  }
});
