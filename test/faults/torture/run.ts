import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSettled, until } from "../../system/mailspan.ts";
import { isRepeat, violationsOf } from "./checks.ts";
import { type Accepted, countMails, countWaiting, listJournal, readJournal, readService } from "./evidence.ts";
import { createKills } from "./kills.ts";
import { planOf } from "./plan.ts";
import { type Bundles, type Processes, startProcesses } from "./processes.ts";
import { sendAll } from "./provider.ts";
import { startProxy } from "./proxy.ts";
import { type Report, reportOf } from "./report.ts";

export type RunOptions = {
  seed: number;
  webhooks: number;
  bundles: Bundles;
  /** False: the run does not wait for parts that take over a minute. */
  patient?: boolean;
  progress?: (line: string) => void;
};

const LOOK = 500;
/** Ms without a request of the bridge before a run is over. */
const QUIET = 1_500;
/** Ms. A busy machine makes a run slow: it fails where nothing is accepted or settled any more. */
const LIMIT = { run: 360_000, webhook: 4_800, still: 180_000 };
/** Ms until an interrupted mail is handed over again: its row has a lease of 60 s. */
const LEASE = 90_000;
const NOWHERE = "http://127.0.0.1:1";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs one seed through the bridge, the faulty proxy and the email service, with kills. Then checks every promise. */
export const runSeed = async (options: RunOptions): Promise<Report> => {
  const { seed, webhooks, bundles, patient = true, progress } = options;
  const started = performance.now();
  const plan = planOf(seed, webhooks);
  const folder = await mkdtemp(join(tmpdir(), "mailspan-torture-"));
  const ended = new AbortController();
  let processes: Processes | undefined;
  const proxy = await startProxy({
    service: () => processes?.service.url() ?? NOWHERE,
    faultOf: (n) => plan.faults.get(n),
    on: (moment, n) => kills.at(moment, n),
  });
  const kills = createKills(plan.kills, () => processes, proxy.note);
  try {
    processes = await startProcesses(bundles, folder, proxy.url);
    const { bridge, service, state } = processes;
    const provider = sendAll(plan.webhooks, bridge.url, ended.signal);

    const moved = { what: "", at: performance.now() };
    const isOver = async (): Promise<boolean> => {
      await kills.idle();
      const url = bridge.url() ?? NOWHERE;
      const waiting = await countWaiting(url).catch(() => Number.NaN);
      const accepted = provider.sent.filter((one) => one.accepted !== undefined).length;
      progress?.(
        `seed ${seed}: ${accepted} of ${webhooks} webhooks accepted, ${waiting} deliveries wait, ` +
          `${proxy.arrivals.length} requests, ${kills.done().length} kills, ${Math.round((performance.now() - started) / 1000)} s`,
      );
      const what = `${accepted} ${waiting} ${kills.done().length}`;
      if (what !== moved.what) Object.assign(moved, { what, at: performance.now() });
      const isQuiet = proxy.pending() === 0 && proxy.now() - (proxy.arrivals.at(-1)?.at ?? 0) > QUIET;
      if (accepted < webhooks || !isQuiet || (patient && waiting !== 0)) return false;
      const deliveries = (await listJournal(url)).flatMap((webhook) => webhook.deliveries);
      return isSettled({ deliveries: patient ? deliveries : deliveries.filter((delivery) => !isRepeat(delivery)) });
    };
    const end = performance.now() + LIMIT.run + webhooks * LIMIT.webhook;
    const isLate = () => performance.now() > Math.min(end, moved.at + LIMIT.still);
    let over = false;
    for (; !over && !isLate(); over = await isOver()) await sleep(LOOK);
    ended.abort();
    await kills.idle();
    await provider.done;

    const journal = await readJournal(bridge.url() ?? NOWHERE);
    const mails = await mailsOf(service.url() ?? NOWHERE, journal, over && patient);
    await processes.stop();
    const tables = readService(state.service);
    const evidence = { sent: provider.sent, journal, arrivals: proxy.arrivals, service: tables, mails, patient };
    const violations = violationsOf(evidence);
    return reportOf({ plan, evidence, violations, kills: kills.done(), proxy, ms: performance.now() - started });
  } finally {
    ended.abort();
    await processes?.stop();
    proxy.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

const mailsOf = async (service: string, journal: readonly Accepted[], waits: boolean): Promise<number> => {
  const deliveries = journal.flatMap(({ deliveries }) => deliveries);
  const expected = deliveries.filter(({ action, state }) => action === "transactional" && state === "done").length;
  const all = () => countMails(service);
  if (!waits) return all();
  return until("all mails", async () => ((await all()) >= expected ? await all() : undefined), LEASE).catch(all);
};
