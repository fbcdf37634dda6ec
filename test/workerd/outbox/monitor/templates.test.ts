import { expect, it, vi } from "vitest";
import { createBench } from "../setup.ts";

it("the Outbox says at its start which templates of sources in use TEMPLATES lacks, each with the nearest name", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const rule = "paid";
  const sources = {
    shop: { secret: "SHOP_SECRET", templates: ["receit", "receipt", "zzz"].map((template) => ({ rule, template })) },
    unused: { secret: "UNUSED_SECRET", templates: [{ rule, template: "welcome" }] },
    journal: { secret: "SHOP_SECRET" },
  };
  const bench = await createBench(({ env }) => ({
    env: { ...env, SHOP_SECRET: "s", TEMPLATES: { receipt: "tpl_1" } } as typeof env,
    sources,
  }));
  const missing = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "template_missing");
  const about = { event: "template_missing", source: "shop", rule };
  expect(missing()).toEqual([
    { ...about, template: "receit", nearest: "receipt" },
    { ...about, template: "zzz" },
  ]);
  await bench.crash();
  expect(missing()).toHaveLength(4);
  vi.restoreAllMocks();
});
