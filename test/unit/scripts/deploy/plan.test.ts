import { describe, expect, test } from "vitest";
import { world } from "./world.ts";

const varsOf = (w: ReturnType<typeof world>) => w.cloud.get("mailspan-email")?.vars;

describe("the plan of the Cloudflare account", () => {
  test("is asked for, and set on the email Worker", async () => {
    const w = world({ TEAM_NAME: "Acme", PLAN: "free" });
    expect(await w.deploy()).toBe(true);
    expect(w.asked.indexOf("PLAN")).toBeLessThan(w.asked.indexOf("TRANSACTIONAL_SENDER"));
    expect(varsOf(w)).toMatchObject({ PLAN: "free" });
    expect(w.output()).toContain("Plan: free.");
  });

  test("is paid by default, and a later run keeps it", async () => {
    const w = world({ TEAM_NAME: "Acme", PLAN: ["", "free", ""] });
    for (const plan of ["paid", "free", "free"]) {
      expect(await w.deploy()).toBe(true);
      expect(varsOf(w)).toMatchObject({ PLAN: plan });
    }
  });

  test("of the option --plan is not asked for", async () => {
    const w = world({ TEAM_NAME: "Acme", PLAN: "paid" });
    expect(await w.deploy({ plan: "free" })).toBe(true);
    expect(w.asked).not.toContain("PLAN");
    expect(varsOf(w)).toMatchObject({ PLAN: "free" });
  });

  test("that does not exist is refused before anything is deployed", async () => {
    const w = world({ ADMIN_TOKEN: "an-admin-token-of-my-own", PLAN: "pro" });
    expect(await w.deploy({ unattended: true })).toBe(false);
    expect(w.output()).toContain("It must be free or paid.");
    expect(w.cloud.size).toBe(0);
  });
});
