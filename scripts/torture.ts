import { bundleWorkers } from "../test/faults/torture/processes.ts";
import type { Report } from "../test/faults/torture/report.ts";
import { runSeed } from "../test/faults/torture/run.ts";
import { count, progress, wholeNumber } from "./lib/cli.ts";
import { define, type Line, runCommand } from "./lib/command.ts";

const TORTURE = define({
  name: "torture",
  about: `Runs the bridge and the email service behind a proxy that fails in every way a network can, and kills them again and
again. Each seed decides webhooks, faults and kills. Every promise of delivery is checked at the end.`,
  examples: [
    ["", "1 seed"],
    ["--seeds 10"],
    ["--seed 7", "a seed that failed, once more"],
    ["--seeds 4 --webhooks 1000 --parallel 4"],
  ],
  options: {
    seeds: { value: "n", default: "1", about: "how many seeds" },
    from: { value: "n", default: "1", about: "the first seed" },
    seed: { value: "n", about: "this seed alone" },
    webhooks: { value: "n", default: "400", about: "webhooks per seed; 400 take about three minutes" },
    parallel: { value: "n", default: "2", about: "seeds that run at the same time" },
    quick: {
      about:
        "does not wait for what takes minutes: contact updates that are made once more because an earlier request may arrive late, and mails that a kill interrupted",
    },
  },
  notes:
    "Times and processes are real: a second run of a seed has the same faults and kills, and may meet other deliveries with them.",
});

/** Ms. */
const EVERY = 30_000;

const main = async ({ values }: Line<typeof TORTURE>): Promise<boolean> => {
  const from = wholeNumber("from", values.from);
  const seeds =
    values.seed === undefined
      ? Array.from({ length: wholeNumber("seeds", values.seeds, { min: 1, max: 10_000 }) }, (_, n) => from + n)
      : [wholeNumber("seed", values.seed)];
  const webhooks = wholeNumber("webhooks", values.webhooks, { min: 10, max: 10_000 });
  const parallel = wholeNumber("parallel", values.parallel, { min: 1, max: 32 });
  const started = performance.now();
  const bundles = await bundleWorkers();

  const lines = new Map<number, string>();
  setInterval(() => {
    if (!process.stdout.isTTY) for (const line of lines.values()) console.log(line);
  }, EVERY).unref();
  const reports: Report[] = [];
  const waiting = [...seeds];
  const work = async (): Promise<void> => {
    const seed = waiting.shift();
    if (seed === undefined) return;
    const show = (line: string) => {
      lines.set(seed, line);
      progress([...lines.values()].join(" | "));
    };
    const report = await runSeed({ seed, webhooks, bundles, patient: !values.quick, progress: show });
    lines.delete(seed);
    progress("");
    console.log([report.summary, ...(report.story ? [report.story, ""] : [])].join("\n"));
    reports.push(report);
    return work();
  };
  await Promise.all(Array.from({ length: Math.min(parallel, seeds.length) }, work));
  console.log(`\n${summaryOf(reports)} ${Math.round((performance.now() - started) / 1000)} s.`);
  const failed = reports.filter(({ violations }) => violations.length > 0);
  for (const { seed } of failed) console.log(`Again: npm run torture -- --seed ${seed} --webhooks ${webhooks}`);
  return failed.length === 0;
};

const summaryOf = (reports: readonly Report[]): string => {
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0);
  const faults = new Set(reports.flatMap((report) => [...report.faults]));
  return (
    `${count(reports.length, "seed")}: ${sum((report) => report.webhooks)} webhooks, ${sum((report) => report.requests)} requests, ` +
    `${faults.size} kinds of fault, ${sum((report) => report.kills)} kills, ` +
    `at most ${Math.max(...reports.map((report) => report.mostInASecond))} requests in any second, ` +
    `${count(
      sum(({ violations }) => violations.length),
      "violation",
    )}.`
  );
};

await runCommand(TORTURE, main);
