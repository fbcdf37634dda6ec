import { type Api, ProviderError } from "../../src/lib/webhook/provider.ts";
import type { Backfill } from "../../src/webhook.ts";
import { again, type Try } from "./again.ts";
import { type Bridge, batchesOf, handOver } from "./bridge.ts";
import { addCounts, type Counts, countsLine, type Told } from "./counts.ts";
import type { Progress } from "./state.ts";

/** Ms between two pages: a fraction of what providers allow. */
const PACE = 200;

export type Io = {
  sleep(ms: number): Promise<void>;
  now(): number;
  /** A line that stays. */
  print(text: string): void;
  /** A line that the next one may take the place of. */
  show(text: string): void;
  /** Called after every page, once all of it is in the bridge's journal. */
  save(progress: Progress): void;
};

/** Rules that failed which are named in full. */
const EXAMPLES = 5;

/** Reads page after page and hands each over. Returns what came of all. */
export const run = async (
  backfill: Backfill,
  api: Api,
  keyVariable: string,
  bridge: Bridge,
  progress: Progress,
  io: Io,
): Promise<Counts> => {
  const started = io.now();
  const before = progress.counts.objects;
  let { after, counts, ...rest } = progress;
  let named = 0;
  for (let kind = progress.kind; kind < backfill.kinds.length; kind++) {
    const name = backfill.kinds[kind] ?? "";
    let objects = 0;
    for (let more = true; more; ) {
      const given = after;
      const page = await again(() => read(backfill, name, progress.since ?? undefined, given, api, keyVariable), {
        sleep: io.sleep,
        tell: io.print,
      });
      for (const batch of batchesOf(page.objects)) {
        const told: Told = await again(() => handOver(bridge, batch), { sleep: io.sleep, tell: io.print });
        counts = addCounts(counts, told);
        for (const { event, rule, message } of told.failures) {
          if (named++ < EXAMPLES) io.print(`The rule "${rule}" failed on ${event}: ${message ?? ""}`);
        }
      }
      objects += page.objects.length;
      after = page.next;
      more = after !== undefined;
      const next = after === undefined ? {} : { after };
      io.save({ ...rest, kind: more ? kind : kind + 1, counts, ...next });
      const seconds = Math.max(0.001, (io.now() - started) / 1000);
      io.show(`${name}: ${countsLine(counts)}; ${((counts.objects - before) / seconds).toFixed(0)}/s`);
      if (more) await io.sleep(PACE);
    }
    io.print(`${name}: ${objects} read.`);
  }
  return counts;
};

const read = async (
  backfill: Backfill,
  kind: string,
  since: number | undefined,
  after: string | undefined,
  api: Api,
  keyVariable: string,
): Promise<Try<Awaited<ReturnType<Backfill["page"]>>>> => {
  try {
    return { value: await backfill.page(kind, since, after, api) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { status, retryAfter, message } = error;
    if (status === 401 || status === 403) {
      throw new Error(
        `${api.baseUrl} refuses the key in ${keyVariable} (status ${status}). It has to be able to read ${backfill.kinds.join(" and ")}.`,
      );
    }
    const told = `${api.baseUrl} does not give the list of ${kind}. ${message}`;
    if (status !== undefined && status !== 429 && status !== 408 && status < 500) throw new Error(told);
    return { again: told, ...(status === 429 && retryAfter !== undefined ? { wait: Math.max(retryAfter, 500) } : {}) };
  }
};
