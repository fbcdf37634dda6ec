import { describe, expect, test } from "vitest";
import { deploy } from "../../../../scripts/deploy/flow.ts";
import { workers, world } from "./world.ts";

const sent = (w: ReturnType<typeof world>) => w.requests.filter(({ line }) => line.endsWith("/samples"));

describe("the sample templates", () => {
  test("of the first team are added with Enter, with the website, and listed with their names in TEMPLATES", async () => {
    const w = world({ TEAM_NAME: "Acme", WEBSITE: "https://acme.example" });
    expect(await w.deploy()).toBe(true);
    expect(sent(w)).toMatchObject([
      { line: expect.stringContaining("/admin/teams/acme/samples"), body: { website: "https://acme.example" } },
    ]);
    expect(w.output()).toMatch(/^receipt +tpl_receipt +Receipt +was there, is kept$/m);
    expect(w.output()).toMatch(/^invitation +tpl_invitation +Invitation +added$/m);
    expect(w.output()).not.toContain("lacks these lines");
  });

  test("are not added with the answer no", async () => {
    const w = world({ TEAM_NAME: "Acme", SAMPLES: "no" });
    expect(await w.deploy()).toBe(true);
    expect(sent(w)).toEqual([]);
    expect(w.output()).toContain("No templates are added.");
  });

  test("that TEMPLATES lacks are printed as lines for wrangler.toml", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    const { bridge } = workers;
    const older = { ...bridge.raw, vars: { ...(bridge.raw.vars as object), TEMPLATES: { receipt: "tpl_receipt" } } };
    const changed = { ...workers, bridge: { ...bridge, raw: older } };
    expect(await deploy(w.io, changed, { unattended: false })).toBe(true);
    expect(w.output()).toContain(
      '[vars.TEMPLATES]. Add those that your rules use:\n  cancellation = "tpl_cancellation"\n',
    );
    expect(w.output()).not.toContain('  receipt = "tpl_receipt"');
  });

  test("of an existing team are added on request, with its slug and the ADMIN_TOKEN", async () => {
    const w = world({ TEAM_NAME: "Acme", SAMPLES: "no", ADMIN_TOKEN: "an-admin-token-of-my-own" });
    expect(await w.deploy()).toBe(true);
    expect(await w.deploy()).toBe(true);
    expect([sent(w), w.asked.includes("TEAM_SLUG")]).toEqual([[], false]);
    w.answer({ SAMPLES: "yes", TEAM_SLUG: "acme", ADMIN_TOKEN: "an-admin-token-of-my-own" });
    expect(await w.deploy({ unattended: true })).toBe(true);
    expect(sent(w)).toHaveLength(1);
    expect(w.argv).not.toContain("--secrets-file");
    w.answer({ SAMPLES: "yes", TEAM_SLUG: "" });
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("No templates are added.");
  });

  test.each([
    [{ SAMPLES: "perhaps" }, "SAMPLES: Answer yes or no."],
    [{ WEBSITE: "acme.example" }, "WEBSITE: It must be an address like https://acme.example."],
  ])("with %j: the step fails, and the bridge is not deployed", async (answers, message) => {
    const w = world({ TEAM_NAME: "Acme", ...answers });
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain(message);
    expect(w.cloud.has("mailspan-bridge")).toBe(false);
  });

  test("of a team that does not exist: the step fails with the words of the email Worker", async () => {
    const w = world({ TEAM_NAME: "Acme", SAMPLES: "no", ADMIN_TOKEN: "an-admin-token-of-my-own" });
    await w.deploy();
    w.answer({ SAMPLES: "yes", TEAM_SLUG: "acne", ADMIN_TOKEN: "an-admin-token-of-my-own" });
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain('There is no team "acne".');
  });
});
