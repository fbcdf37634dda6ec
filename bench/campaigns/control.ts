import { freeInspectorPort, type Inspector, inspect } from "../inspector.ts";
import { median } from "../median.ts";
import { atMost, type Figure, sleep, until } from "../outbox/report.ts";
import { pacedCalls, within } from "../paced.ts";
import { callsDuring } from "../sending/profile.ts";
import type { Sink } from "../sending/start.ts";
import { type Memory, watchMemory } from "./memory.ts";
import { startTeam, type Team } from "./team.ts";

const SNAPSHOT_S = 60;
const EFFECT_MS = 2_000;
const SLICE_MS = 10;
/** The limit of a Cloudflare object is 128 MB. */
const HEAP_MB = 64;

type Campaign = Awaited<ReturnType<Team["newCampaign"]>>;

const now = (): number => performance.timeOrigin + performance.now();
const ms = (time: number): string => `${time.toFixed(0)} ms`;
const shown = ({ resident, heap }: Memory): string => `${resident.toFixed(0)}; ${heap.toFixed(0)} MB`;

const apiFigures = (times: readonly number[]): Figure[] => [
  { what: `  API requests meanwhile, ten a second: median of ${times.length}`, value: ms(median(times)) },
  atMost("    99 % answered within", within(times, 0.99), 100, 0, " ms"),
  { what: "    the slowest", value: ms(Math.max(...times)) },
];

const withCalls = async <T>(team: Team, work: () => Promise<T>): Promise<{ result: T; times: number[] }> => {
  let isDone = false;
  const answered = pacedCalls(team, () => isDone);
  const result = await work().finally(() => {
    isDone = true;
  });
  return { result, times: await answered };
};

/** Ms until the answer (`answered`) and the last mail (`last`). */
const stopped = async (sink: Sink, act: () => Promise<unknown>): Promise<{ answered: number; last: number }> => {
  const began = now();
  await act();
  const answered = now() - began;
  await sleep(2 * EFFECT_MS);
  return { answered, last: Math.max(0, (await sink.arrived()).last - began) };
};

const started = async (sink: Sink, act: () => Promise<unknown>): Promise<number> => {
  await sink.drop();
  const began = now();
  await act();
  await until("mails arrive again", async () => (await sink.arrived()).mails > 0, 30_000);
  return now() - began;
};

const snapshotOf = async (campaign: Campaign, contacts: number) => {
  const began = performance.now();
  await campaign.send(contacts);
  await until("the snapshot ends", async () => (await campaign.delivery()).state === "sending", 600_000);
  return { seconds: (performance.now() - began) / 1_000 };
};

const controlSnapshot = async (team: Team, contacts: number) => {
  const campaign = await team.newCampaign();
  await campaign.send(contacts);
  await until("the snapshot moves", async () => (await campaign.cursor()) > 0, 30_000);
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await act();
    return performance.now() - began;
  };
  const pause = await timed(() => campaign.operate("pause"));
  const at = await campaign.cursor();
  await sleep(1_000);
  if ((await campaign.cursor()) !== at || at >= contacts) throw new Error("The snapshot goes on in a pause.");
  const resume = await timed(async () => {
    await campaign.operate("resume");
    await until("the snapshot goes on", async () => (await campaign.cursor()) > at, 30_000);
  });
  const cancel = await timed(async () => {
    await campaign.operate("cancel");
    const { state } = await campaign.delivery();
    if (state !== "cancelled") throw new Error(`The campaign is ${state}.`);
  });
  await campaign.finished(600_000);
  return { pause, resume, cancel };
};

/** Recording takes memory and time, so it runs in a separate snapshot. */
const slicesOf = async (team: Team, inspector: Inspector, contacts: number): Promise<number[]> => {
  const campaign = await team.newCampaign();
  const slices = await callsDuring({ inspector, url: team.worker.url }, "takeSnapshot", () =>
    snapshotOf(campaign, contacts),
  );
  await campaign.operate("cancel");
  await campaign.finished(600_000);
  return slices;
};

export const control = async (sink: Sink, contacts: number): Promise<Figure[]> => {
  const inspectorPort = freeInspectorPort();
  const team = await startTeam(sink, { isSigned: true, inspectorPort }, contacts);
  try {
    const inspector = await inspect(inspectorPort);
    const memory = watchMemory({ inspector, ...team.worker });
    const inSnapshot = await controlSnapshot(team, contacts);
    const before = await memory.atRest();
    const campaign = await team.newCampaign();
    const { result: snapshot, most: during } = await memory.during(() =>
      withCalls(team, () => snapshotOf(campaign, contacts)),
    );
    await sink.drop();
    const { most: sending } = await memory.during(() =>
      until("mails arrive", async () => (await sink.arrived()).mails > Math.min(5_000, contacts / 10), 120_000),
    );
    const pause = await stopped(sink, () => campaign.operate("pause"));
    const resume = await started(sink, () => campaign.operate("resume"));
    await sleep(2_000);
    const { result, most: cancelling } = await memory.during(() =>
      withCalls(team, async () => {
        const began = performance.now();
        const cancel = await stopped(sink, () => campaign.operate("cancel"));
        await campaign.finished(600_000);
        return { cancel, seconds: (performance.now() - began) / 1_000 };
      }),
    );
    const after = await memory.atRest();
    const slices = await slicesOf(team, inspector, contacts);
    inspector.close();
    const { recipients, sent, cancelled } = await campaign.delivery();
    if (recipients !== contacts || sent + cancelled !== contacts)
      throw new Error(`${recipients} recipients, ${sent} sent and ${cancelled} cancelled, not ${contacts}.`);
    const { seconds } = snapshot.result;
    return [
      atMost(`snapshot of ${contacts} contacts`, seconds, SNAPSHOT_S, 1, " s"),
      { what: `  ${slices.length} slices, one by one: median`, value: `${median(slices).toFixed(1)} ms` },
      atMost("    99 % took at most", within(slices, 0.99), SLICE_MS, 1, " ms"),
      { what: "    the longest", value: `${Math.max(...slices).toFixed(1)} ms` },
      ...apiFigures(snapshot.times),
      atMost("pause: the last mail arrives after", pause.last, EFFECT_MS, 0, " ms"),
      { what: "  answered after", value: ms(pause.answered) },
      atMost("resume: the first mail arrives after", resume, EFFECT_MS, 0, " ms"),
      atMost("cancel: the last mail arrives after", result.result.cancel.last, EFFECT_MS, 0, " ms"),
      { what: "  answered after", value: ms(result.result.cancel.answered) },
      { what: `  all of ${cancelled} recipients are cancelled after`, value: `${result.result.seconds.toFixed(1)} s` },
      ...apiFigures(result.times),
      atMost("in the snapshot: pause", inSnapshot.pause, EFFECT_MS, 0, " ms"),
      atMost("  resume", inSnapshot.resume, EFFECT_MS, 0, " ms"),
      atMost("  cancel", inSnapshot.cancel, EFFECT_MS, 0, " ms"),
      { what: "memory of the process; of the objects: before", value: shown(before) },
      { what: "  most during the snapshot, with garbage", value: shown(during) },
      { what: "  most while mails are sent", value: shown(sending) },
      { what: "  most during the cancellation", value: shown(cancelling) },
      { what: "  after", value: shown(after) },
      atMost("  objects, at any time", Math.max(during.heap, sending.heap, cancelling.heap), HEAP_MB, 0, " MB"),
    ];
  } finally {
    await team.worker.stop();
  }
};
