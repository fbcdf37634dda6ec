import { describe, expect, test } from "vitest";
import { deploy } from "../../../../scripts/deploy/flow.ts";
import { KEY, WHSEC, workers, world } from "./world.ts";

describe("running it again", () => {
  test("replaces no secret and asks for no team", async () => {
    const w = world({ TEAM_NAME: "Acme", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC });
    await w.deploy();
    const before = structuredClone([...w.cloud]);
    w.answer({ API_KEY_SECRET: "another-api-key-secret", ADMIN_TOKEN: "another-admin-token-of-my-own" });
    expect(await w.deploy()).toBe(true);
    expect([...w.cloud]).toEqual(before);
    expect(w.argv).not.toContain("--secrets-file");
    expect(w.done.filter((line) => line === "deploy mailspan-email")).toHaveLength(1);
    expect(w.asked).not.toContain("TEAM_NAME");
    expect(w.output()).toContain(
      "mailspan-email exists, with the secrets: ADMIN_TOKEN, API_KEY_SECRET, DKIM_KEY_SECRET.",
    );
    expect(w.output()).toContain("API_KEY_SECRET: kept");
    expect(w.output()).toMatch(/hooks\/stripe +ready/);
  });

  test("stops if the secrets cannot be listed, and does not take them for missing", async () => {
    const w = world();
    w.fail.set("secret list", "A request to the Cloudflare API failed. Authentication error [code: 10000]");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 2 of 13 (Secrets) failed");
    expect(w.output()).toContain("Authentication error [code: 10000]");
    expect(w.output()).toContain("Nothing was changed.");
  });

  test("after a failure of the bridge: the team exists, and ADMIN_TOKEN is asked for until it is right", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "an-admin-token-of-my-own" });
    w.fail.set("deploy mailspan-bridge", "no workers.dev subdomain");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 10 of 13 (Bridge) failed");
    expect(w.output()).toContain("no workers.dev subdomain");
    expect(w.output()).toContain("run this again");

    const again = world({
      TEAM_NAME: "Acme",
      ADMIN_TOKEN: ["a-wrong-admin-token-of-mine", "an-admin-token-of-my-own"],
    });
    for (const [name, worker] of w.cloud) again.cloud.set(name, worker);
    again.teams.add("acme");
    expect(await again.deploy()).toBe(true);
    expect(again.output()).toContain("This admin token is not valid.");
    expect(again.output()).toContain("The team acme exists and is used.");
    expect(again.cloud.get("mailspan-bridge")?.secrets).toEqual({
      EMAIL_API_KEY: KEY,
      ADMIN_TOKEN: "an-admin-token-of-my-own",
    });
  });

  test("without ADMIN_TOKEN the team is skipped, and the output names the missing API key", async () => {
    const w = world();
    w.cloud.set("mailspan-email", { secrets: { ADMIN_TOKEN: "x", API_KEY_SECRET: "y" }, vars: {} });
    expect(await w.deploy()).toBe(true);
    expect(w.asked).not.toContain("TEAM_NAME");
    expect(w.output()).toContain("The bridge has no API key");
    expect(w.cloud.get("mailspan-bridge")?.secrets).toEqual({});
  });
});

describe("a failure names the step and how to continue: ", () => {
  test("no login", async () => {
    const w = world();
    w.state.login = { loggedIn: false };
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 1 of 13 (Cloudflare account) failed");
    expect(w.output()).toContain("npx wrangler login (or set CLOUDFLARE_API_TOKEN)");
    expect(w.done).toEqual(["whoami --json"]);
  });

  test("the answer no", async () => {
    const w = world({ CONTINUE: "no" });
    expect(await w.deploy()).toBe(false);
    expect(w.done).toEqual(["whoami --json"]);
  });

  test("an address that never answers", async () => {
    const w = world();
    const page = async () => new Response("<h1>There is nothing here yet</h1>", { status: 404 });
    expect(await deploy({ ...w.io, fetch: page }, workers, { unattended: false })).toBe(false);
    expect(w.output()).toContain("Step 6 of 13 (Email Worker) failed");
    expect(w.output()).toContain("/health does not answer: HTTP 404");
  });

  test("--yes without a required variable names it", async () => {
    const w = world();
    expect(await w.deploy({ unattended: true })).toBe(false);
    expect(w.output()).toContain("ADMIN_TOKEN is not set");
    expect(w.cloud.size).toBe(0);
    const wrong = world({ ADMIN_TOKEN: "short" });
    expect(await wrong.deploy({ unattended: true })).toBe(false);
    expect(wrong.output()).toContain("ADMIN_TOKEN: It must have at least 24 characters");
  });

  test("one of several accounts is chosen, and wrangler gets its id", async () => {
    const w = world({ TEAM_NAME: "Acme", CLOUDFLARE_ACCOUNT_ID: "2" });
    const accounts = [
      { id: "a1", name: "Acme" },
      { id: "a2", name: "Bcme" },
    ];
    w.state.login = { loggedIn: true, accounts };
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("account Bcme");
    expect(w.done.filter((line) => line === "account a2")).toHaveLength(9);
  });
});

describe("the settings of the Workers", () => {
  test("give an event 300 s of CPU time; the Free plan refuses that, and gets the same Worker without it", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(w.deployed.map(({ limits }) => limits)).toEqual(w.deployed.map(() => ({ cpu_ms: 300_000 })));

    const free = world({ TEAM_NAME: "Acme" });
    free.plan.isFree = true;
    expect(await free.deploy()).toBe(true);
    expect(free.deployed.map(({ name }) => name)).toEqual(w.deployed.map(({ name }) => name));
    expect(free.deployed.filter(({ limits }) => limits !== undefined)).toEqual([]);
  });

  test("keep the workers.dev address beside a custom domain, and call Workers of the account by the internet", () => {
    const all = Object.values(workers).map(({ raw }) => raw);
    expect(all.map(({ workers_dev: address }) => address)).toEqual([true, true, true]);
    for (const { raw } of [workers.bridge, workers.email])
      expect(raw.compatibility_flags).toContain("global_fetch_strictly_public");
  });
});

describe("the address of a Worker", () => {
  test("is its custom domain, as wrangler writes it in its output file", async () => {
    const w = world({ TEAM_NAME: "Acme" }, (name) => [
      `https://${name}.acme.workers.dev`,
      `${name}.example.com (custom domain - zone name: example.com)`,
    ]);
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("https://mailspan-bridge.example.com/hooks/stripe ");
    expect(w.cloud.get("mailspan-email")?.vars).toEqual({
      PLAN: "paid",
      PUBLIC_URL: "https://mailspan-email.example.com",
    });
  });

  test("is asked for if wrangler names none", async () => {
    const w = world(
      {
        TEAM_NAME: "Acme",
        EMAIL_URL: "https://mail.example.com/",
        BRIDGE_URL: "https://in.example.com",
        DASHBOARD_URL: "https://see.example.com",
      },
      () => ["example.com/mail/* (zone name: example.com)"],
    );
    expect(await w.deploy()).toBe(true);
    expect(w.asked).toContain("EMAIL_URL");
    expect(w.output()).toContain("https://in.example.com/hooks/stripe ");
    expect(w.output()).toContain("Dashboard: https://see.example.com ");
  });
});
