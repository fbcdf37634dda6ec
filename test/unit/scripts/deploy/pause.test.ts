import { beforeEach, describe, expect, test } from "vitest";
import { world } from "./world.ts";

const TOKEN = "an-admin-token-of-my-own";

let w: ReturnType<typeof world>;
beforeEach(async () => {
  w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
  await w.deploy();
  w.campaigns.push(
    { id: "cmp_1", name: "Sale", state: "sending" },
    { id: "cmp_2", name: "Spring", state: "snapshot" },
    { id: "cmp_3", name: "Rest", state: "paused" },
  );
});

const around = () => w.done.filter((line) => /^(pause|resume|deploy mailspan-email)/.test(line));

describe("a deployment while campaigns are being sent", () => {
  test("pauses them, replaces the email Worker, and resumes them; one that a person paused stays so", async () => {
    w.answer({ PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: TOKEN });
    expect(await w.deploy()).toBe(true);
    expect(around()).toEqual(["pause cmp_1", "pause cmp_2", "deploy mailspan-email", "resume cmp_1", "resume cmp_2"]);
    expect(w.campaigns.map(({ state }) => state)).toEqual(["sending", "sending", "paused"]);
    expect(w.output()).toContain("Sale (acme): paused.");
    expect(w.output()).toContain("Spring (acme): resumed.");
  });

  test("resumes them although wrangler fails", async () => {
    w.answer({ PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: TOKEN });
    w.fail.set("deploy mailspan-email", "no network");
    expect(await w.deploy()).toBe(false);
    expect(w.campaigns.map(({ state }) => state)).toEqual(["sending", "sending", "paused"]);
  });

  test("names a campaign that cannot be resumed, and how to resume it", async () => {
    w.answer({ PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: TOKEN });
    w.fail.set("resume cmp_1", "");
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain(
      "Sale is still paused. Resume it in the dashboard, or with: npm run campaign -- resume cmp_1",
    );
    expect(w.campaigns.map(({ state }) => state)).toEqual(["paused", "sending", "paused"]);
  });

  test.each([
    ["the answer no", { ADMIN_TOKEN: TOKEN, PAUSE_CAMPAIGNS: "no" }, ""],
    ["Enter", { ADMIN_TOKEN: TOKEN }, ""],
    [
      "a wrong token",
      { PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: "a-wrong-admin-token-of-mine" },
      "No campaign is paused: The email Worker answered 401",
    ],
    ["no token", { PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: "" }, "No campaign is paused: ADMIN_TOKEN is not set"],
  ])("pauses none with %s, and deploys all the same", async (_, answers, printed) => {
    w.answer(answers);
    expect(await w.deploy()).toBe(true);
    expect(around()).toEqual(["deploy mailspan-email"]);
    expect(w.output()).toContain(printed);
  });

  test.each([
    [200, false],
    [201, true],
  ])("says so if it does not look at all of %i campaigns", async (count, isSaid) => {
    w.campaigns.splice(0);
    for (let n = 0; n < count; n++) w.campaigns.push({ id: `cmp_${n}`, name: "Rest", state: "paused" });
    w.answer({ PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: TOKEN });
    expect(await w.deploy()).toBe(true);
    expect(w.output().includes("Only the first 200 of /teams/acme/campaigns are looked at.")).toBe(isSaid);
  });

  test("says so if none is being sent", async () => {
    w.campaigns.splice(0);
    w.answer({ PAUSE_CAMPAIGNS: "yes", ADMIN_TOKEN: TOKEN });
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("No campaign is being sent.");
  });

  test("a new email Worker is asked nothing", async () => {
    const fresh = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: TOKEN });
    expect(await fresh.deploy()).toBe(true);
    expect(fresh.asked).not.toContain("PAUSE_CAMPAIGNS");
  });
});
