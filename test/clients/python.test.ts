import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, startService } from "./team.ts";
import { pythonPackages, run, sayMissing } from "./tools.ts";

const installed = pythonPackages(["pyloops==1.22.6"]);
if ("missing" in installed) sayMissing("PyPI pyloops 1.22.6", installed.missing);

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

it.skipIf("missing" in installed)("pyloops gets the answers it expects with every method", async () => {
  const { bin } = installed as { bin: string };
  const { key, list } = await createTeam(mailspan, "python");
  const script = join(import.meta.dirname, "python_client.py");
  const { ok, text } = run(join(bin, "python"), [script, mailspan.emailUrl, key, list]);
  expect(ok, text).toBe(true);
  expect(text).toMatch(/^\d\d methods\n$/);
});
