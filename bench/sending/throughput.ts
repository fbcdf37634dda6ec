import { cpus } from "node:os";
import { allCpuSeconds } from "../cpu.ts";
import { atLeast, atMost, type Figure, sleep } from "../outbox/report.ts";
import { type How, type Running, type Sink, startSender } from "./start.ts";
import { benchOf, newTeam } from "./team.ts";

const SLICE = 1_000;
/** CPU seconds of listmonk for 1,000 unsigned mails of 6 kB. Our limit is three times that. */
const LISTMONK_CPU = 0.23;
const LEAST = { unsigned: 1_500, signed: 700 };

/** `cpu`: seconds for 1,000 mails. `others`: processor share outside the bench. */
type Rate = { perSecond: number; cpu: number; kilobytes: number; others: number };

/** `ours`: CPU seconds of the bench's processes. */
export const othersSince = (ours: () => number): (() => number) => {
  const used = () => allCpuSeconds() - ours() - process.cpuUsage().user / 1e6 - process.cpuUsage().system / 1e6;
  const [before, began] = [used(), performance.now()];
  return () => ((used() - before) * 1_000) / ((performance.now() - began) * cpus().length);
};

type Run = (mails: number) => Promise<Rate>;

/** A tenth of the mails is warm-up. */
export const withSender = async <T>(
  sink: Sink,
  how: How,
  mails: number,
  measure: (run: Run, worker: Running) => Promise<T>,
): Promise<T> => {
  const rows = how.memory ? await startSender(sink, { ...how, memory: false }) : undefined;
  let worker = rows ?? (await startSender(sink, how));
  try {
    await newTeam(worker);
    if (how.memory) {
      const content = await benchOf(worker.url).written();
      await worker.stop();
      worker = await startSender(sink, how);
      await benchOf(worker.url).prepare(content);
    }
    const bench = benchOf(worker.url);
    let before = 0;
    const run: Run = async (count) => {
      for (let left = count; left > 0; left -= SLICE) await bench.add(Math.min(left, SLICE));
      await sink.drop();
      const cpu = worker.cpu();
      const others = othersSince(() => worker.cpu() + sink.cpu());
      const began = performance.timeOrigin + performance.now();
      await bench.begin(how.mailers);
      let arrived = await sink.arrived();
      while (arrived.mails < count) {
        if (performance.timeOrigin + performance.now() - Math.max(began, arrived.last) > 60_000)
          throw new Error(`No mail for a minute. ${JSON.stringify({ arrived, states: await bench.states() })}`);
        await sleep(100);
        arrived = await sink.arrived();
      }
      before += count;
      await settled(bench, before);
      const { mails: taken, recipients } = await sink.arrived();
      if (taken !== count || recipients !== count)
        throw new Error(`${taken} mails to ${recipients} people, not ${count}.`);
      return {
        perSecond: (count * 1_000) / (arrived.last - began),
        cpu: ((worker.cpu() - cpu) * 1_000) / count,
        kilobytes: arrived.bytes / taken / 1_000,
        others: others(),
      };
    };
    await run(Math.ceil(mails / 10));
    return await measure(run, worker);
  } finally {
    await worker.stop();
  }
};

const send = (sink: Sink, how: How, mails: number): Promise<Rate> => withSender(sink, how, mails, (run) => run(mails));

const settled = async (bench: ReturnType<typeof benchOf>, mails: number): Promise<void> => {
  for (let n = 0; n < 100; n++) {
    const sent = (await bench.states()).find(({ state }) => state === "sent")?.mails ?? 0;
    if (sent === mails) return;
    await sleep(50);
  }
  throw new Error(`Not every mail is sent: ${JSON.stringify(await bench.states())}`);
};

type Wanted = { mails: number; mailers: readonly number[]; isSigned: boolean };

/** Absolute figures count only if this share is small. */
const othersOf = ({ others }: Rate): Figure => ({
  what: "  other processes meanwhile, as a share of all processors",
  value: `${(others * 100).toFixed(0)} %`,
});

/** The bounds apply to the best number of Mailers. */
export const throughput = async (sink: Sink, { mails, mailers, isSigned }: Wanted): Promise<Figure[]> => {
  const rates: Rate[] = [];
  const figures: Figure[] = [];
  for (const count of mailers) {
    const rate = await send(sink, { mailers: count, isSigned }, mails);
    rates.push(rate);
    const what = `${count} ${count === 1 ? "Mailer" : "Mailers"}: mails of ${rate.kilobytes.toFixed(1)} kB per second`;
    figures.push({ what, value: rate.perSecond.toFixed(0) });
    figures.push({ what: "  CPU time of 1 000 mails", value: `${rate.cpu.toFixed(2)} s` });
    figures.push(othersOf(rate));
  }
  const best = Math.max(...rates.map(({ perSecond }) => perSecond));
  const cpu = Math.min(...rates.map((rate) => rate.cpu));
  figures.push(atLeast("the most per second", best, LEAST[isSigned ? "signed" : "unsigned"], 0));
  const times = cpu / LISTMONK_CPU;
  figures.push(
    isSigned
      ? {
          what: "the least CPU time of 1 000 mails, as a multiple of listmonk's, which does not sign",
          value: `${times.toFixed(1)}×`,
        }
      : atMost("the least CPU time of 1 000 mails, as a multiple of listmonk's", times, 3, 1, "×"),
  );
  return figures;
};

/** Shows the cost of rows and commits. */
export const baseline = async (sink: Sink, mails: number): Promise<Figure[]> => {
  const rows = await send(sink, { mailers: 4, isSigned: false }, mails);
  const memory = await send(sink, { mailers: 4, isSigned: false, memory: true }, mails);
  return [
    { what: "4 Mailers fed from memory, nothing written: mails per second", value: memory.perSecond.toFixed(0) },
    { what: "  CPU time of 1 000 mails", value: `${memory.cpu.toFixed(2)} s` },
    othersOf(memory),
    { what: "with rows, as a share of that: mails per second", value: (rows.perSecond / memory.perSecond).toFixed(2) },
    { what: "  CPU time", value: (rows.cpu / memory.cpu).toFixed(2) },
    othersOf(rows),
  ];
};
