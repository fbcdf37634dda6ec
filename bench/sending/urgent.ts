import { median } from "../median.ts";
import { atMost, type Figure, sleep, until } from "../outbox/report.ts";
import { PACE_MS, pacedCalls, within } from "../paced.ts";
import { type Sink, startSender } from "./start.ts";
import { benchOf, newTeam } from "./team.ts";

const SLICE = 1_000;
const MAIL_PACE_MS = 250;

const now = (): number => performance.timeOrigin + performance.now();

export const urgentMail = async (
  sink: Sink,
  { backlog, mails }: { backlog: number; mails: number },
): Promise<Figure[]> => {
  const worker = await startSender(sink, { mailers: 4, isSigned: true });
  try {
    const team = await newTeam(worker);
    const bench = benchOf(worker.url);
    for (let left = backlog; left > 0; left -= SLICE) await bench.add(Math.min(left, SLICE));
    await sink.drop();
    let isDone = false;
    // Calls would wait for this statement.
    await bench.begin(4);
    await sleep(1_000);
    const answered = pacedCalls(team, () => isDone);
    await sleep(1_000);
    const times: number[] = [];
    for (let n = 0; n < mails; n++) {
      const address = `urgent${n}@example.com`;
      const sent = now();
      await team.send(address);
      await until(`mail ${n} arrives`, () => sink.urgent.has(address), 30_000);
      times.push((sink.urgent.get(address) ?? Number.NaN) - sent);
      await sleep(MAIL_PACE_MS);
    }
    const { mails: arrived } = await sink.arrived();
    isDone = true;
    const apiTimes = await answered;
    return [
      atMost(`transactional mail among ${backlog} marketing mails: median of ${mails}`, median(times), 1_000, 0, " ms"),
      atMost("  the slowest", Math.max(...times), 3_000, 0, " ms"),
      { what: "  marketing mails that had arrived at the end", value: String(arrived - mails) },
      {
        what: `API at ${1_000 / PACE_MS} requests a second meanwhile: median of ${apiTimes.length}`,
        value: `${median(apiTimes).toFixed(0)} ms`,
      },
      atMost("  99 % answered within", within(apiTimes, 0.99), 100, 0, " ms"),
      { what: "  the slowest", value: `${Math.max(...apiTimes).toFixed(0)} ms` },
    ];
  } finally {
    await worker.stop();
  }
};
