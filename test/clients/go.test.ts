import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, startService } from "./team.ts";
import { goModule, run, sayMissing } from "./tools.ts";

const MODULE = "github.com/loops-so/loops-go";
const installed = goModule(MODULE, "v0.4.0");
if ("missing" in installed) sayMissing(`The Go module ${MODULE}`, `${installed.missing} Its requests are tested.`);

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

it.skipIf("missing" in installed)("loops-go gets the answers it expects with every method", async () => {
  const { path } = installed as { path: string };
  const { key, list } = await createTeam(mailspan, "go");
  const program = join(import.meta.dirname, "go_client.go");
  const { ok, text } = run("go", ["-C", path, "run", program, mailspan.emailUrl, key, list]);
  expect(ok, text).toBe(true);
  expect(text).toMatch(/^\d\d methods\n$/);
});

const newer = goModule(MODULE, "v0.6.0");
if ("missing" in newer) sayMissing(`The Go module ${MODULE} v0.6.0`, `${newer.missing} Its requests are tested.`);

it.skipIf("missing" in newer)("loops-go builds, changes and deletes a workflow", async () => {
  const { path } = newer as { path: string };
  const { key, list } = await createTeam(mailspan, "go-workflows");
  const program = join(import.meta.dirname, "go_workflows.go");
  const { ok, text } = run("go", ["-C", path, "run", program, mailspan.emailUrl, key, list]);
  expect(ok, text).toBe(true);
  expect(text).toBe("done\n");
});
