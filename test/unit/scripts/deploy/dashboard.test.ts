import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dashboardFor } from "../../../../scripts/deploy/config.ts";
import { times, workers, world } from "./world.ts";

const TOKEN = "an-admin-token-of-the-test";

describe("the dashboard", () => {
  test("is deployed after the other Workers, with their ADMIN_TOKEN and bindings to both, and its address is printed", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-dashboard")).toEqual({ secrets: { ADMIN_TOKEN: TOKEN }, vars: {} });
    expect(w.deployed.at(-1)).toMatchObject({
      name: "mailspan-dashboard",
      services: [
        { binding: "BRIDGE", service: "mailspan-bridge" },
        { binding: "EMAIL", service: "mailspan-email" },
      ],
    });
    expect(w.output()).toContain("Dashboard: https://mailspan-dashboard.acme.workers.dev ");
    expect(times(w.output(), TOKEN)).toBe(0);
  });

  test("keeps its token in a later run, which asks for none", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    const before = structuredClone(w.cloud.get("mailspan-dashboard"));
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-dashboard")).toEqual(before);
    expect(w.asked).not.toContain("ADMIN_TOKEN");
  });

  test("is added to Workers of before, with the token that the person gives, and is left out without it", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    await w.deploy();
    w.cloud.delete("mailspan-dashboard");
    w.answer({ ADMIN_TOKEN: "" });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.has("mailspan-dashboard")).toBe(false);
    expect(w.output()).toContain("The dashboard is left out: it needs the value of ADMIN_TOKEN.");
    w.answer({ ADMIN_TOKEN: TOKEN });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-dashboard")?.secrets).toEqual({ ADMIN_TOKEN: TOKEN });
  });

  test("is not deployed with a token that is too short", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "sixteen-letters-1" });
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("ADMIN_TOKEN: It must have at least 24 characters");
  });

  test("that does not answer fails the step, and the mail steps come after it", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    w.fail.set("deploy mailspan-dashboard", "You need to register a workers.dev subdomain");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 11 of 13 (Dashboard) failed");
    expect(w.cloud.has("mailspan-bridge")).toBe(true);
  });

  test("is bound to what is there: the email service alone, the bridge alone, both", () => {
    const folder = mkdtempSync(join(tmpdir(), "mailspan-halves-"));
    const servicesOf = (halves: { hasBridge: boolean; hasEmail: boolean }, name: string) =>
      dashboardFor(workers, halves, mkdtempSync(join(folder, name))).raw.services;
    const bridge = { binding: "BRIDGE", service: "mailspan-bridge" };
    const email = { binding: "EMAIL", service: "mailspan-email" };
    expect(servicesOf({ hasBridge: false, hasEmail: true }, "email")).toEqual([email]);
    expect(servicesOf({ hasBridge: true, hasEmail: false }, "bridge")).toEqual([bridge]);
    expect(servicesOf({ hasBridge: true, hasEmail: true }, "both")).toEqual([bridge, email]);
    rmSync(folder, { recursive: true });
  });
});
