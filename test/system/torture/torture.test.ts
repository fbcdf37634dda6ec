import { expect, it } from "vitest";
import { kinds, spells } from "./faults.ts";
import { bundleWorkers } from "./processes.ts";
import { runSeed } from "./run.ts";

it("keeps every promise behind a proxy that fails, while bridge and host are killed", async () => {
  const report = await runSeed({ seed: 252, webhooks: 16, bundles: await bundleWorkers(), patient: false });
  console.log(report.summary);
  expect(report.story).toBe("");
  expect(report).toMatchObject({ webhooks: 16, kills: 3 });
  expect(report.faults.size).toBeGreaterThan(3);
});

it("knows at least 37 kinds of fault, each by its own name", () => {
  const names = [...kinds, ...spells].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(37);
});
