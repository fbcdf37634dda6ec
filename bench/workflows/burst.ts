import { median } from "../median.ts";
import { atLeast, atMost, type Figure, sleep, until } from "../outbox/report.ts";
import { pacedCalls, within } from "../paced.ts";
import type { Sink } from "../sending/start.ts";
import { type Running, startWorkflows } from "./start.ts";
import { newTeam, type Team } from "./team.ts";

/** Runs of one slice, as in src/email/workspace/workflows/runs/slice.ts. */
const SLICE = 50;
const ENTRY_PACE_MS = 500;
const EVENT = { typeName: "EventTrigger", reEligible: true };

const now = (): number => performance.timeOrigin + performance.now();
const ms = (time: number): string => `${time.toFixed(0)} ms`;

const apiFigures = (title: string, times: readonly number[]): Figure[] => [
  { what: `${title}, 10 requests a second: median of ${times.length}`, value: ms(median(times)) },
  atMost("  99 % answered within", within(times, 0.99), 100, 0, " ms"),
  { what: "  the slowest", value: ms(Math.max(...times)) },
];

const firstMail = async (team: Team, sink: Sink, n: number): Promise<number> => {
  const email = `urgent-${team.id}-${n}@example.com`;
  const sent = now();
  await team.post("/events/send", { email, eventName: "joined", eventProperties: { plan: "pro" } });
  await until(`the mail to ${email} arrives`, () => sink.urgent.has(email), 120_000);
  return (sink.urgent.get(email) ?? Number.NaN) - sent;
};

const arrange = async (worker: Running, runs: number) => {
  const team = await newTeam(worker, "burst");
  await team.newWelcome("Welcome", { ...EVENT, eventName: "joined" });
  await team.addContacts(runs);
  const branching = await team.newBranching("Plans", { ...EVENT, eventName: "never" });
  await team.addRuns(branching, 2, runs, 4e15);
  for (let n = 0; n < 50; n++) await team.post("/events/send", { userId: `u${n}`, eventName: "opened" });
  return { team, ...branching };
};

const workOff = async (worker: Running, team: Team, n: number) => {
  await team.sql("UPDATE runs SET wake = ? WHERE workflow = ?", Date.now(), n);
  await sleep(500);
  const before = { at: performance.now(), cpu: worker.cpu() };
  await team.bench("begin");
  while (await team.hasDue(n)) await sleep(200);
  return { seconds: (performance.now() - before.at) / 1_000, cpu: worker.cpu() - before.cpu };
};

/** Measures steps only, because the mail provider is unreachable. */
export const steps = async (runs: number): Promise<Figure[]> => {
  const worker = await startWorkflows(undefined);
  try {
    const { team, n } = await arrange(worker, runs);
    let isDone = false;
    const idle = pacedCalls(team, () => isDone);
    await sleep(5_000);
    isDone = true;
    const before = await idle;
    isDone = false;
    const answered = pacedCalls(team, () => isDone);
    const { seconds, cpu } = await workOff(worker, team, n);
    isDone = true;
    const times = await answered;
    const [{ mails } = {}] = await team.sql("SELECT count(*) AS mails FROM sends WHERE state IN ('queued', 'sending')");
    if (mails !== runs) throw new Error(`${mails} mails are queued, not ${runs}.`);
    return [
      atMost(`${runs} runs due in one moment: a timer ends → branch → mail → timer`, seconds, 20, 1, " s"),
      atLeast("  runs a second", runs / seconds, 5_000, 0),
      atMost(`  CPU time of a slice of ${SLICE} runs, with the API calls`, (cpu * 1_000 * SLICE) / runs, 10, 1, " ms"),
      ...apiFigures("API before", before).map(({ what, value }) => ({ what, value })),
      ...apiFigures("API meanwhile", times),
    ];
  } finally {
    await worker.stop();
  }
};

/** Sends signed mails while contacts enter another workflow. */
export const mails = async (sink: Sink, runs: number): Promise<Figure[]> => {
  const worker = await startWorkflows(sink);
  try {
    const { team, n } = await arrange(worker, runs);
    const idle: number[] = [];
    for (let entry = 0; entry < 20; entry++) idle.push(await firstMail(team, sink, entry));
    await sink.drop();
    let isDone = false;
    const answered = pacedCalls(team, () => isDone);
    const fresh: Promise<number>[] = [];
    const entering = (async () => {
      for (let entry = 100; !isDone; entry++) {
        fresh.push(firstMail(team, sink, entry));
        await sleep(ENTRY_PACE_MS);
      }
    })();
    const { seconds } = await workOff(worker, team, n);
    const stepped = await sink.arrived();
    await sleep(10_000);
    isDone = true;
    await entering;
    const times = await answered;
    const late = await Promise.all(fresh);
    return [
      atMost("first mail of a fresh entry, idle: median of 20", median(idle), 2_000, 0, " ms"),
      { what: "  the slowest", value: ms(Math.max(...idle)) },
      {
        what: `${runs} runs due in one moment, while their mails are sent: all steps done`,
        value: `${seconds.toFixed(1)} s`,
      },
      { what: "  mails that had arrived then", value: String(stepped.mails) },
      atMost(
        `first mail of a fresh entry meanwhile: the slowest of ${late.length}`,
        Math.max(...late),
        5_000,
        0,
        " ms",
      ),
      { what: "  median", value: ms(median(late)) },
      ...apiFigures("API meanwhile", times),
    ];
  } finally {
    await worker.stop();
  }
};
