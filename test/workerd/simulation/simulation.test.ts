import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import type { Outbox } from "../../../src/outbox/outbox.ts";
import { type Result, run } from "./run.ts";

const stub = () => (env as unknown as { OUTBOX: DurableObjectNamespace<Outbox> }).OUTBOX.getByName("simulation");

it("try", async () => {
  const failed: Result[] = [];
  const counts: Record<string, number> = {};
  const from = Date.now();
  await runInDurableObject(stub(), async (_, { storage }) => {
    const s = inject("simulation");
    for (let seed = s.seed ?? s.from; seed <= (s.seed ?? s.from + s.seeds - 1); seed++) {
      const result = await run(storage, seed);
      for (const [k, v] of Object.entries(result.counts)) counts[k] = (counts[k] ?? 0) + v;
      if (result.broken) failed.push(result);
    }
  });
  console.log(Date.now() - from, JSON.stringify(counts, null, 1));
  for (const f of failed) console.log(f.seed, f.broken);
  if (failed[0]) console.log(failed[0].trace.slice(inject("simulation").seed ? -400 : -5).join("\n"));
  expect(failed.length).toBe(0);
}, 600_000);
