import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { deploy } from "../../../../scripts/deploy/flow.ts";
import type { Io } from "../../../../scripts/deploy/io.ts";
import { whereOf } from "../../../../scripts/deploy/steps/sources.ts";
import { slugOf } from "../../../../scripts/deploy/steps/team.ts";
import { postmark } from "../../../../src/handlers/postmark.ts";
import { sources } from "../../../../src/sources.ts";
import type { Handler } from "../../../../src/webhook.ts";
import { KEY, times, WHSEC, workers, world } from "./world.ts";

describe("the first run", () => {
  test("deploys the email Worker, creates team and key, then deploys the bridge with that key", async () => {
    const w = world({ TEAM_NAME: "Ädler & Co.", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy()).toBe(true);
    expect(w.done).toEqual([
      "whoami --json",
      "secret list",
      "secret list",
      "r2 bucket create",
      "deploy mailspan-email",
      "deploy mailspan-email",
      "deploy mailspan-bridge",
      "deploy mailspan-bridge",
      "secret list",
      "build the page",
      "deploy mailspan-dashboard",
    ]);
    expect(w.requests.map(({ line }) => line)).toEqual([
      "GET https://mailspan-email.acme.workers.dev/health",
      "POST https://mailspan-email.acme.workers.dev/admin/teams",
      "POST https://mailspan-email.acme.workers.dev/admin/teams/adler-co/keys",
      "POST https://mailspan-email.acme.workers.dev/admin/teams/adler-co/samples",
      "GET https://mailspan-bridge.acme.workers.dev/health",
      "GET https://mailspan-dashboard.acme.workers.dev/api/session",
    ]);
    expect(w.requests[1]?.body).toEqual({ id: "adler-co", name: "Ädler & Co.", createProperties: true });
    expect(w.requests[3]?.body).toEqual({});
    expect(Object.keys(w.cloud.get("mailspan-email")?.secrets ?? {}).sort()).toEqual([
      "ADMIN_TOKEN",
      "API_KEY_SECRET",
      "DKIM_KEY_SECRET",
    ]);
    expect(w.cloud.get("mailspan-email")?.vars).toEqual({
      PLAN: "paid",
      PUBLIC_URL: "https://mailspan-email.acme.workers.dev",
    });
    expect(w.cloud.get("mailspan-bridge")?.secrets).toEqual({
      EMAIL_API_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: WHSEC,
      ADMIN_TOKEN: w.cloud.get("mailspan-email")?.secrets.ADMIN_TOKEN,
    });
  });

  test("numbers every step, shows each webhook address, and says that no email is sent", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    for (let step = 1; step <= 13; step++) expect(w.output()).toContain(`Step ${step} of 13: `);
    for (const source of ["stripe", "clerk", "supabase", "generic"]) {
      expect(w.output()).toContain(`https://mailspan-bridge.acme.workers.dev/hooks/${source} `);
    }
    expect(w.output()).toContain("no mail leaves: no sender is configured");
    expect(w.output()).toContain("To choose a sender, run this again with TRANSACTIONAL_SENDER");
  });

  test("a skipped source refuses every webhook, and the output says so", async () => {
    const clerk = Object.keys(sources).indexOf("clerk") + 1;
    const w = world({ TEAM_NAME: "Acme", SOURCES: `stripe, ${clerk}`, STRIPE_WEBHOOK_SECRET: WHSEC });
    await w.deploy();
    expect(w.output()).toMatch(/hooks\/stripe +ready/);
    expect(w.output()).toContain("POST /hooks/clerk refuses every webhook until CLERK_WEBHOOK_SECRET is set");
    expect(w.output()).toMatch(/hooks\/clerk +refuses every webhook/);
  });
});

describe("secrets", () => {
  test("go to wrangler in a private file that is removed, and are neither arguments nor printed", async () => {
    const own = { API_KEY_SECRET: "an-api-key-secret-of-mine", ADMIN_TOKEN: "an-admin-token-of-my-own" };
    const w = world({ TEAM_NAME: "Acme", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC, ...own });
    await w.deploy();
    expect(w.files).toHaveLength(3);
    for (const file of w.files) expect(existsSync(file)).toBe(false);
    for (const secret of [...Object.values(own), WHSEC, KEY]) {
      expect(w.argv.join(" ")).not.toContain(secret);
      expect(w.output()).not.toContain(secret);
    }
    expect(w.cloud.get("mailspan-email")?.secrets).toEqual({ ...own, DKIM_KEY_SECRET: expect.any(String) });
  });

  test("of the generated secrets only ADMIN_TOKEN is shown, exactly once", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    const {
      ADMIN_TOKEN = "",
      API_KEY_SECRET = "",
      DKIM_KEY_SECRET = "",
    } = w.cloud.get("mailspan-email")?.secrets ?? {};
    expect(DKIM_KEY_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(times(w.output(), DKIM_KEY_SECRET)).toBe(0);
    expect(ADMIN_TOKEN).toMatch(/^[0-9a-f]{64}$/);
    expect(API_KEY_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(times(w.output(), ADMIN_TOKEN)).toBe(1);
    expect(times(w.output(), API_KEY_SECRET)).toBe(0);
    expect(w.argv.join(" ")).not.toContain(ADMIN_TOKEN);
  });

  test("are hidden if wrangler repeats them, and their file is removed after a failure", async () => {
    const w = world({ ADMIN_TOKEN: "an-admin-token-of-my-own" });
    const run = w.io.run;
    const io: Io = {
      ...w.io,
      run: async (command, args, options) => {
        const finished = await run(command, args, options);
        return args[0] === "deploy" ? { code: 1, stdout: "", stderr: "bad value an-admin-token-of-my-own" } : finished;
      },
    };
    expect(await deploy(io, workers, { unattended: true })).toBe(false);
    expect(w.output()).toContain("bad value (secret)");
    expect(w.output()).not.toContain("an-admin-token-of-my-own");
    expect(existsSync(w.files[0] ?? "")).toBe(false);
  });

  test("a generated secret of the generic source is shown once, for its sender", async () => {
    const w = world({ TEAM_NAME: "Acme", SOURCES: "generic", GENERIC_WEBHOOK_SECRET: "generate" });
    await w.deploy();
    const { GENERIC_WEBHOOK_SECRET = "" } = w.cloud.get("mailspan-bridge")?.secrets ?? {};
    expect(GENERIC_WEBHOOK_SECRET).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(times(w.output(), GENERIC_WEBHOOK_SECRET)).toBe(1);
  });

  test("a secret that the source cannot use is refused before the deployment", async () => {
    for (const answers of [{ CLERK_WEBHOOK_SECRET: "not base64!" }, { STRIPE_WEBHOOK_SECRET: "generate" }]) {
      const w = world({ TEAM_NAME: "Acme", SOURCES: "all", ...answers });
      expect(await w.deploy()).toBe(false);
      expect(w.output()).toContain("Step 9 of 13 (Webhook secrets) failed");
      expect(w.cloud.has("mailspan-bridge")).toBe(false);
    }
  });
});

describe("the choice of sources", () => {
  const secretsAsked = (w: ReturnType<typeof world>) =>
    w.asked.filter((variable) => Object.values(sources).some(({ secret }) => secret === variable));

  test("comes first: only the secrets of chosen sources are asked for", async () => {
    const w = world({ TEAM_NAME: "Acme", SOURCES: "supabase stripe", STRIPE_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy()).toBe(true);
    expect(secretsAsked(w).sort()).toEqual(["STRIPE_WEBHOOK_SECRET", "SUPABASE_HOOK_SECRET"]);
    for (const name of Object.keys(sources)) expect(w.output()).toMatch(new RegExp(`^\\d+ +${name} `, "m"));
  });

  test("Enter keeps the secrets that are set, and asks for none", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(secretsAsked(w)).toEqual([]);
    expect(w.output()).toContain("No source: the bridge refuses every webhook until a source has its secret.");
    const { secrets } = w.cloud.get("mailspan-bridge") ?? { secrets: {} };
    Object.assign(secrets, { STRIPE_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy()).toBe(true);
    expect(secretsAsked(w)).toEqual([]);
    expect(w.output()).toMatch(/^1 +stripe +Stripe +has its secret$/m);
    expect(w.output()).toMatch(/hooks\/stripe +ready/);
  });

  test("an unknown name is an error with the nearest name", async () => {
    const w = world({ TEAM_NAME: "Acme", SOURCES: "strip" });
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain('There is no source "strip". Did you mean stripe?');
    const number = world({ TEAM_NAME: "Acme", SOURCES: "99" });
    expect(await number.deploy()).toBe(false);
  });

  test("with --yes the secrets in the environment are taken, and no other is required", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "an-admin-token-of-my-own", CLERK_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy({ unattended: true })).toBe(true);
    expect(w.cloud.get("mailspan-bridge")?.secrets).toMatchObject({ CLERK_WEBHOOK_SECRET: WHSEC });
    expect(w.output()).toContain("clerk: CLERK_WEBHOOK_SECRET is set.");
    expect(w.output()).not.toContain("Skipped");
    expect(await w.deploy({ unattended: true })).toBe(true);
    expect(w.output()).toContain("clerk: CLERK_WEBHOOK_SECRET is kept.");

    const wrong = world({
      TEAM_NAME: "Acme",
      ADMIN_TOKEN: "an-admin-token-of-my-own",
      CLERK_WEBHOOK_SECRET: "not base64!",
    });
    expect(await wrong.deploy({ unattended: true })).toBe(false);
    expect(wrong.output()).toContain("CLERK_WEBHOOK_SECRET: ");
  });
});

test("the slug of a team's name", () => {
  expect(slugOf("Ädler & Co.")).toBe("adler-co");
  expect(slugOf(`${"a".repeat(31)} b`)).toBe("a".repeat(31));
  expect(slugOf("株式会社")).toBe("");
});

test("deploy says which header carries the secret, where the source names one", () => {
  const source = { handler: postmark as Handler, secret: "POSTMARK_WEBHOOK_SECRET" };
  expect(whereOf({ ...source, header: "X-Acme-Token" })).toBe(
    "Postmark: add the header X-Acme-Token to the webhook; its value is yours to choose",
  );
  expect(whereOf(source)).toContain("Basic auth credentials");
});
