import { type Api, ProviderError } from "../../src/lib/webhook/provider.ts";
import type { Backfill } from "../../src/webhook.ts";
import { type Bridge, batchesOf, postBatch } from "./bridge.ts";
import { type Answer, addCounts, type Counts, countsLine } from "./counts.ts";
import { type Attempted, again } from "./retry-request.ts";
import type { Progress } from "./state.ts";

/** Ms, far below the rate limits of providers. */
const PACE = 200;

export type Io = {
  sleep(ms: number): Promise<void>;
  now(): number;
  print(text: string): void;
  show(text: string): void;
  /** Called when a whole page is in the journal of the bridge. */
  save(progress: Progress): void;
};

const EXAMPLES = 5;

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
      const page = await again(() => read(backfill, name, progress.since ?? undefined, given, api, keyVariable), io);
      for (const batch of batchesOf(page.objects)) {
        const answer: Answer = await again(() => postBatch(bridge, batch), io);
        counts = addCounts(counts, answer);
        for (const { event, rule, message } of answer.failures) {
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
): Promise<Attempted<Awaited<ReturnType<Backfill["page"]>>>> => {
  try {
    return { value: await backfill.page(kind, since, after, api) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { status, retryAfter, message } = error;
    if (status === 401 || status === 403) {
      throw new Error(
        `${api.baseUrl} refuses the key in ${keyVariable} (status ${status}). The key must be able to read ${backfill.kinds.join(", ")}.`,
      );
    }
    const failure = `${api.baseUrl} does not return the list of ${kind}. ${message}`;
    if (status !== undefined && status !== 429 && status !== 408 && status < 500) throw new Error(failure);
    return {
      again: failure,
      ...(status === 429 && retryAfter !== undefined ? { wait: Math.max(retryAfter, 500) } : {}),
    };
  }
};
