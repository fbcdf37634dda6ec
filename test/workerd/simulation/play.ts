import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { Outbox } from "../../../src/outbox/outbox.ts";
import { type Result, run } from "./run.ts";
import type { Schedule } from "./schedule.ts";

export const play = async (
  seeds: Iterable<number>,
  each: (result: Result) => boolean,
  make?: (dependencies: Dependencies) => Engine,
  scheduleOf?: (seed: number) => Schedule,
): Promise<void> => {
  const stub = (env as unknown as { OUTBOX: DurableObjectNamespace<Outbox> }).OUTBOX.getByName("simulation");
  await runInDurableObject(stub, async (_, { storage }) => {
    for (const seed of seeds) if (!each(await run(storage, seed, make, scheduleOf?.(seed)))) return;
  });
};

const SHOWN = 60;

export const reportOf = ({ seed, broken, trace }: Result, whole = false): string => {
  const end = trace.findIndex((line) => line.includes("BROKEN"));
  const from = whole ? 0 : Math.max(0, end - SHOWN);
  return [
    `Seed ${seed}: ${broken}`,
    ...(from > 0 ? [`  … ${from} lines before`] : []),
    ...trace.slice(from).map((line) => `  ${line}`),
    `Alone, with all of its trace: npm run simulate -- --seed ${seed}`,
  ].join("\n");
};

export const range = function* (from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed++) yield seed;
};
