import { table } from "../scripts/lib/cli.ts";
import { define, runCommand } from "../scripts/lib/command.ts";
import { keepStateInMemory } from "../scripts/lib/memory.ts";
import { atMost, type Figure, show } from "./outbox/report.ts";
import { besidePages } from "./scale/client.ts";
import { type Measured, measure } from "./scale/measure.ts";
import { requestsFor } from "./scale/requests.ts";
import { type Sizes, seed } from "./scale/seed.ts";
import { type Scale, startScale } from "./scale/start.ts";

const SCALE = define({
  name: "dashboard:scale",
  about: `Measures what pages of the dashboard ask, with much data: every operation that only reads, and searches with filters. Runs the
three Workers in local workerd and fails where an answer is larger or slower than its bound. The bound of 300 ms is for the slowest answer
to each request; of 11 answers and more for the second slowest, because one of them may be late by a pause of the machine. The times
are those of the whole way through the dashboard Worker, so more than the time of the server.`,
  examples: [
    [
      "",
      "1,000,000 contacts, 50,000 of them waiting in a workflow, 100,000 webhooks, 200,000 mails; about eight minutes",
    ],
    ["--quick", "a tenth of it; about two minutes"],
    ["--only webhooks", "requests with this text in their name, without the API client"],
    ["--only client", "the API client alone"],
  ],
  options: {
    quick: { about: "a tenth of the data" },
    only: { value: "text", about: "only requests with this text in their name" },
  },
});

const FULL: Sizes = { contacts: 1_000_000, webhooks: 100_000, sends: 200_000, waiting: 50_000 };
const QUICK: Sizes = { contacts: 100_000, webhooks: 20_000, sends: 40_000, waiting: 5_000 };
/** Bytes; ms of the slowest answer; ratio of page 200 to page 1; ratio of a client beside pages. */
const MOST = { bytes: 300_000, ms: 300, late: 1.5, client: 1.3 };
const ROUNDS = 11;
/** A smaller difference (ms) is noise. */
const TINY_MS = 10;

const rowOf = ({ name, ms, judged, worst, bytes, first, late, pages, asked, seconds, failed }: Measured): string[] => [
  name,
  ms.toFixed(1),
  judged.toFixed(1),
  worst.toFixed(1),
  (bytes / 1_000).toFixed(1),
  pages === undefined ? "" : String(pages),
  late === undefined ? "" : `${first?.toFixed(1)} → ${late.toFixed(1)}`,
  asked === undefined ? "" : `${asked} in ${seconds?.toFixed(2)} s`,
  failed ?? "",
];

const faultsOf = ({ failed, bytes, judged, first = 0, late = 0, seconds = 0, ...given }: Measured): string[] => [
  ...(failed === undefined ? [] : [`answered ${failed}`]),
  ...(bytes > MOST.bytes ? [`${(bytes / 1_000).toFixed(0)} kB, at most ${MOST.bytes / 1_000}`] : []),
  ...(judged > MOST.ms ? [`${judged.toFixed(0)} ms, at most ${MOST.ms}`] : []),
  ...(late > MOST.late * first && late > first + TINY_MS
    ? [`page 200 takes ${late.toFixed(1)} ms, page 1 ${first.toFixed(1)}`]
    : []),
  ...(seconds > (given.within ?? Number.POSITIVE_INFINITY)
    ? [`${seconds.toFixed(1)} s to the end, at most ${given.within}`]
    : []),
];

const measureAll = async (scale: Scale, only: string | undefined, rounds: number): Promise<boolean> => {
  const { requests, missing } = await requestsFor(scale);
  const measured: Measured[] = [];
  for (const request of requests)
    if (only === undefined || request.name.includes(only)) measured.push(await measure(scale, request, rounds, 200));
  const titles = ["request", "median, ms", "judged", "slowest", "kB", "pages", "ms of page 1 → 200", "to the end", ""];
  console.log(`\n${table(titles, measured.map(rowOf))}`);
  console.log(`\nNot measured, because nothing of it is seeded: ${missing.join(", ")}\n`);
  const faults = measured.flatMap((one) => faultsOf(one).map((fault) => `  ${one.name}: ${fault}`));
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
};

const measureClient = async (scale: Scale, windows: number): Promise<Figure[]> => {
  const { opened, requests, alone, beside } = await besidePages(scale, windows);
  const said = (of: typeof alone) => `${of.half.toFixed(1)} and ${of.most.toFixed(1)} ms`;
  console.log(
    `${requests} requests of an API client: median and p99 ${said(alone)}; beside ${opened} pages ${said(beside)}`,
  );
  return [atMost("p99 of the client beside pages, times that without", beside.most / alone.most, MOST.client)];
};

await runCommand(SCALE, async ({ values: { quick, only } }) => {
  keepStateInMemory();
  const scale = await startScale();
  try {
    console.log("Seeded");
    await seed(scale, quick ? QUICK : FULL, (line) => console.log(line));
    const areWithin = only === "client" || (await measureAll(scale, only, ROUNDS));
    const isWithClient = only === undefined || only === "client";
    const figures = isWithClient ? await measureClient(scale, quick ? 3 : 12) : [];
    for (const figure of figures) console.log(show(figure));
    const isGood = areWithin && figures.every(({ good }) => good !== false);
    console.log(isGood ? "\nWithin all bounds." : "\nBeyond a bound.");
    return isGood;
  } finally {
    await scale.stop();
  }
});
