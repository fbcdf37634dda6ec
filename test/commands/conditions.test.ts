import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clone, cloneRepository, startMailspanOf } from "../system/clone.ts";
import { type Mailspan, secrets } from "../system/mailspan.ts";
import { genericWebhook } from "../system/signed.ts";

let clone: Clone;
let mailspan: Mailspan;

const run = (command: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(clone.path, command), ...args], {
    cwd: clone.path,
    env: {
      ...process.env,
      ADMIN_TOKEN: secrets.ADMIN_TOKEN,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
    },
  });

// src/rules/evaluate.ts and src/lib use these names too, so a bundler renames them here.
const HELPERS = `
const plan = (e: Events) => e.data.email?.length ?? 0;
const duration = (e: Events) => e.data.id.length;
`;
const CONDITION = "(e) => plan(e) + duration(e) > 1_000";

beforeAll(async () => {
  clone = await cloneRepository();
  const mapping = "src/mappings/generic.ts";
  const rule = 'on: "user.created",\n      contact:';
  const when = "when: (e) =>\n        plan(e as Events) + duration(e)\n          > 1_000,\n";
  await clone.replace(mapping, rule, rule.replace("contact:", `${when}      contact:`));
  await clone.replace(mapping, "export default", `${HELPERS}\nexport default`);
  mailspan = await startMailspanOf(clone);
});
afterAll(async () => {
  await mailspan?.stop();
  await clone?.remove();
});

it("the admin API and npm run why show a rule's condition as it is in the source file, not as bundled", async () => {
  const { payload, headers } = genericWebhook({
    type: "user.created",
    data: { id: "user_1", email: "ada@example.com", firstName: "Ada" },
  });
  const { id } = (await (await mailspan.post("generic", payload, headers)).json()) as { id: string };
  const { outcomes } = await mailspan.settled(id);
  expect(outcomes).toContainEqual({
    rule: "user created",
    outcome: "not matched",
    clause: CONDITION,
    why: expect.stringContaining(CONDITION),
  });
  const { stdout } = await run("scripts/why.ts", "ada@example.com", "--url", mailspan.url);
  expect(stdout).toContain(`rule "user created" did not match: its condition was false: ${CONDITION}`);
});

it("a restart that fails brings the Workers from before back", async () => {
  const refuse = () => Promise.reject(new Error("no key"));
  await expect(mailspan.restart({ bridgeVars: refuse })).rejects.toThrow("no key");
  expect(await mailspan.webhooks()).toHaveLength(1);
});

it("a deployment by wrangler has the texts too; of a broken rule file the bundler reports the error", async () => {
  const deploy = async () => {
    await run("node_modules/wrangler/bin/wrangler.js", "deploy", "--dry-run", "--outdir", "dist/deployed");
    return await readFile(join(clone.path, "dist/deployed/index.js"), "utf8");
  };
  expect(await deploy()).toMatch(/"user created": "\(e\) =>\\n +plan\(e +\) \+ duration\(e\)/);
  await writeFile(join(clone.path, "src/mappings/generic.ts"), "export default {");
  await expect(deploy()).rejects.toThrow(/src\/mappings\/generic\.ts:1:16/);
  await expect(mailspan.restart()).rejects.toThrow(/src\/mappings\/generic\.ts:1:16/);
  expect(await mailspan.webhooks()).toHaveLength(1);

  await run("scripts/conditions.ts");
  expect(await readFile(join(clone.path, "dist/conditions.js"), "utf8")).toBe("export const conditions = {};\n");
});
