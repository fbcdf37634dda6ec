import { describe, expect, test } from "vitest";
import { varsOf } from "../../../../scripts/deploy/config.ts";
import { stateOf, stepsFor } from "../../../../scripts/deploy/flow.ts";
import { HOSTED, KEY, times, workers, world } from "./world.ts";

const TOKEN = "an-admin-token-of-the-test";
const alone = { hasBridge: false };

describe("the email service without a bridge", () => {
  test("gets the dashboard with a binding to the email Worker only, and a team without an API key", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    expect(await w.deploy(alone)).toBe(true);
    expect(w.done).toEqual([
      "whoami --json",
      "secret list",
      "r2 bucket create",
      "deploy mailspan-email",
      "deploy mailspan-email",
      "secret list",
      "build the page",
      "deploy mailspan-dashboard",
      'services [{"binding":"EMAIL","service":"mailspan-email"}]',
    ]);
    expect([...w.cloud.keys()]).toEqual(["mailspan-email", "mailspan-dashboard"]);
    expect(w.cloud.get("mailspan-dashboard")).toEqual({ secrets: { ADMIN_TOKEN: TOKEN }, vars: {} });
    expect([...w.teams]).toEqual(["acme"]);
    expect(w.requests.some(({ line }) => line.endsWith("/keys"))).toBe(false);
    expect(w.asked).not.toContain("SOURCES");
    expect(w.output()).toContain("This deploys two Workers: mailspan-email and mailspan-dashboard.");
    expect(w.output()).toContain("Make the API keys of your systems in the dashboard, under API keys");
    expect(times(w.output(), TOKEN) + times(w.output(), KEY) + times(w.output(), "mailspan-bridge")).toBe(0);
  });

  test("again: keeps every secret and the teams, and needs no answer", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    await w.deploy(alone);
    const before = structuredClone([...w.cloud]);
    w.answer({ ADMIN_TOKEN: "", TEAM_NAME: "" });
    expect(await w.deploy({ ...alone, unattended: true })).toBe(true);
    expect([...w.cloud]).toEqual(before);
    expect(w.output()).toContain("No team is created: without ADMIN_TOKEN and a name the teams stay as they are.");
    expect([...w.teams]).toEqual(["acme"]);
  });

  test("again, with the token and a name after a team failed: creates it then", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    await w.deploy(alone);
    w.teams.clear();
    w.answer({ ADMIN_TOKEN: TOKEN, TEAM_NAME: "Acme" });
    expect(await w.deploy(alone)).toBe(true);
    expect([...w.teams]).toEqual(["acme"]);
  });

  test("does not read the email service of a bridge", () => {
    const [bridge, w] = [structuredClone(workers.bridge), world()];
    bridge.raw.vars = { ...varsOf(bridge), EMAIL_API_URL: HOSTED };
    const state = stateOf(w.io, { ...workers, bridge }, { unattended: false, hasBridge: false });
    expect(state.service).toBeUndefined();
    expect(stepsFor(state).map(({ title }) => title)).not.toContain("Bridge");
  });
});

describe("PUBLIC_URL of the bridge", () => {
  const URL = "https://mailspan-bridge.acme.workers.dev";

  test("is set to its address once that is known, and kept with one deployment in a later run", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    expect(w.cloud.get("mailspan-bridge")?.vars).toEqual({ ...varsOf(workers.bridge), PUBLIC_URL: URL });
    expect(await w.deploy()).toBe(true);
    expect(w.done.filter((command) => command === "deploy mailspan-bridge")).toHaveLength(1);
    expect(w.cloud.get("mailspan-bridge")?.vars.PUBLIC_URL).toBe(URL);
  });

  test("that a person has set stays", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    const there = w.cloud.get("mailspan-bridge");
    if (there) there.vars.PUBLIC_URL = "https://hooks.example.com";
    await w.deploy();
    expect(w.cloud.get("mailspan-bridge")?.vars.PUBLIC_URL).toBe("https://hooks.example.com");
  });
});
