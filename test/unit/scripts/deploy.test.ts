import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { askEnvironment } from "../../../scripts/deploy/ask.ts";
import { readWorkers, varsOf } from "../../../scripts/deploy/config.ts";
import { dryRun } from "../../../scripts/deploy/dry-run.ts";
import { deploy, hostOf } from "../../../scripts/deploy/flow.ts";
import type { Finished, Io, Question, Run } from "../../../scripts/deploy/io.ts";
import { slugOf } from "../../../scripts/deploy/steps/team.ts";
import { sources } from "../../../src/sources.ts";

const workers = readWorkers();
const HOSTED = "https://hosted.example.com";
const KEY = "ms_acme_0123456789abcdefghijklmnopqrstuv_0123456789abcdef01234567";
const WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

type Deployed = { secrets: Record<string, string>; vars: Record<string, unknown> };
type Json = Record<string, unknown>;

/** An account, a terminal and a network that exist only here. `answers` by the variable of the question. */
const world = (
  answers: Record<string, string | string[]> = {},
  targetsOf = (name: string) => ["schedule: * * * * *", `https://${name}.acme.workers.dev`],
) => {
  const cloud = new Map<string, Deployed>();
  const teams = new Set<string>();
  const printed: string[] = [];
  const done: string[] = [];
  const argv: string[] = [];
  const files: string[] = [];
  const requests: { line: string; bearer: string | null; body: unknown }[] = [];
  const given = new Map(Object.entries(answers).map(([name, answer]) => [name, [answer].flat()]));
  const state = { login: { loggedIn: true, email: "ada@example.com", accounts: [{ id: "a1", name: "Acme" }] } as Json };
  const fail = new Map<string, string>();
  const asked: string[] = [];

  const finished = (stdout: unknown): Finished => ({
    code: 0,
    stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
    stderr: "",
  });
  const wrangler = (args: readonly string[], env: Record<string, string>): Finished => {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? "";
    const config = option("--config").endsWith(".json")
      ? (JSON.parse(readFileSync(option("--config"), "utf8")) as Json)
      : undefined;
    const worker = config ?? (option("--config").includes("email") ? workers.email.raw : workers.bridge.raw);
    const name = String(worker.name);
    const command = args[0] === "deploy" ? `deploy ${name}` : args.slice(0, 2).join(" ");
    done.push(command);
    if (env.CLOUDFLARE_ACCOUNT_ID) done.push(`account ${env.CLOUDFLARE_ACCOUNT_ID}`);
    const failure = fail.get(command);
    if (failure !== undefined) return { code: 1, stdout: "", stderr: failure };
    const there = cloud.get(name);
    switch (args[0]) {
      case "whoami":
        return { ...finished(state.login), code: state.login.loggedIn ? 0 : 1 };
      case "secret":
        if (!there)
          return { code: 1, stdout: "", stderr: `\u001b[31mX [ERROR]\u001b[0m Worker "${name}" not found.\n` };
        return finished(Object.keys(there.secrets).map((secret) => ({ name: secret, type: "secret_text" })));
      case "deployments":
        return finished({ versions: [{ version_id: "v1", percentage: 100 }] });
      case "versions": {
        const bindings = Object.entries(there?.vars ?? {}).map(([key, value]) =>
          typeof value === "string"
            ? { type: "plain_text", name: key, text: value }
            : { type: "json", name: key, json: value },
        );
        return finished({ resources: { bindings } });
      }
      default: {
        const file = args.includes("--secrets-file") ? option("--secrets-file") : undefined;
        if (file) {
          files.push(file);
          expect(statSync(file).mode & 0o777).toBe(0o600);
        }
        const secrets = file ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
        cloud.set(name, { secrets: { ...there?.secrets, ...secrets }, vars: (worker.vars ?? {}) as Json });
        if (config) done.push(`services ${JSON.stringify(config.services)}`);
        // As wrangler writes them: a line of the session first, then the line of the deployment.
        const lines = [{ type: "wrangler-session" }, { type: "deploy", targets: targetsOf(name) }];
        writeFileSync(
          env.WRANGLER_OUTPUT_FILE_PATH ?? "",
          lines.map((line) => `${JSON.stringify({ version: 1, ...line })}\n`).join(""),
        );
        return finished(`Deployed ${name} triggers (1 sec)\n  https://elsewhere.workers.dev`);
      }
    }
  };

  const io: Io = {
    run: async (command, args, { env = {} } = {}) => {
      expect(command).toBe("wrangler");
      argv.push(...args);
      return wrangler(args, env);
    },
    fetch: async (request) => {
      const url = new URL(request.url);
      const bearer = request.headers.get("authorization");
      const body = request.method === "POST" ? ((await request.json()) as Json) : undefined;
      requests.push({ line: `${request.method} ${request.url}`, bearer, body });
      if (url.pathname === "/health") {
        const reasons = url.hostname.includes("email") ? ["no mail leaves: no sender is configured"] : [];
        return Response.json({ status: reasons.length ? "degraded" : "ok", reasons });
      }
      if (url.pathname === "/v1/api-key") {
        return bearer === "Bearer hosted-api-key-1234"
          ? Response.json({ success: true, teamName: "Hosted" })
          : Response.json({ success: false, error: "Invalid API key" }, { status: 401 });
      }
      const token = cloud.get("mailspan-email")?.secrets.ADMIN_TOKEN;
      if (bearer !== `Bearer ${token}`)
        return Response.json({ message: "This admin token is not valid." }, { status: 401 });
      if (url.pathname !== "/admin/teams") return Response.json({ success: true, key: KEY }, { status: 201 });
      const id = String(body?.id);
      if (teams.has(id)) return Response.json({ message: "exists" }, { status: 409 });
      teams.add(id);
      return Response.json({ success: true }, { status: 201 });
    },
    ask: (question: Question) => {
      asked.push(question.variable);
      const next = given.get(question.variable)?.shift() ?? "";
      return askEnvironment({ [question.variable]: next })(question);
    },
    print: (text) => printed.push(text),
    sleep: async () => {},
  };
  return {
    io,
    cloud,
    done,
    argv,
    files,
    requests,
    fail,
    asked,
    state,
    teams,
    output: () => printed.join("\n"),
    answer: (more: Record<string, string>) => {
      for (const [name, value] of Object.entries(more)) given.set(name, [value]);
    },
    deploy: (options: { host?: string; unattended?: boolean } = {}) => {
      for (const list of [printed, done, argv, asked, requests]) list.length = 0;
      return deploy(io, workers, { unattended: false, ...options });
    },
  };
};

const times = (text: string, part: string) => text.split(part).length - 1;

describe("the first run", () => {
  test("deploys the email Worker, creates team and key, then deploys the bridge with that key", async () => {
    const w = world({ TEAM_NAME: "Ädler & Co.", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy()).toBe(true);
    expect(w.done).toEqual([
      "whoami --json",
      "secret list",
      "secret list",
      "deploy mailspan-email",
      "deploy mailspan-bridge",
    ]);
    expect(w.requests.map(({ line }) => line)).toEqual([
      "GET https://mailspan-email.acme.workers.dev/health",
      "POST https://mailspan-email.acme.workers.dev/admin/teams",
      "POST https://mailspan-email.acme.workers.dev/admin/teams/adler-co/keys",
      "GET https://mailspan-bridge.acme.workers.dev/health",
    ]);
    expect(w.requests[1]?.body).toEqual({ id: "adler-co", name: "Ädler & Co.", createProperties: true, samples: true });
    expect(Object.keys(w.cloud.get("mailspan-email")?.secrets ?? {}).sort()).toEqual(["ADMIN_TOKEN", "API_KEY_SECRET"]);
    expect(w.cloud.get("mailspan-bridge")?.secrets).toEqual({
      EMAIL_API_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: WHSEC,
      ADMIN_TOKEN: w.cloud.get("mailspan-email")?.secrets.ADMIN_TOKEN,
    });
  });

  test("numbers every step, shows each webhook address, and says that no email is sent", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    for (let step = 1; step <= 6; step++) expect(w.output()).toContain(`Step ${step} of 6: `);
    for (const source of ["stripe", "clerk", "supabase", "generic"]) {
      expect(w.output()).toContain(`https://mailspan-bridge.acme.workers.dev/hooks/${source} `);
    }
    expect(w.output()).toContain("no mail leaves: no sender is configured");
    expect(w.output()).toContain("Sending domains cannot be verified yet");
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
    const own = { API_KEY_SECRET: "an-api-key-secret-of-mine", ADMIN_TOKEN: "an-admin-token-of-mine" };
    const w = world({ TEAM_NAME: "Acme", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC, ...own });
    await w.deploy();
    expect(w.files).toHaveLength(2);
    for (const file of w.files) expect(existsSync(file)).toBe(false);
    for (const secret of [...Object.values(own), WHSEC, KEY]) {
      expect(w.argv.join(" ")).not.toContain(secret);
      expect(w.output()).not.toContain(secret);
    }
    expect(w.cloud.get("mailspan-email")?.secrets).toEqual(own);
  });

  test("of the generated secrets only ADMIN_TOKEN is shown, exactly once", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    const { ADMIN_TOKEN = "", API_KEY_SECRET = "" } = w.cloud.get("mailspan-email")?.secrets ?? {};
    expect(ADMIN_TOKEN).toMatch(/^[0-9a-f]{64}$/);
    expect(API_KEY_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(times(w.output(), ADMIN_TOKEN)).toBe(1);
    expect(times(w.output(), API_KEY_SECRET)).toBe(0);
    expect(w.argv.join(" ")).not.toContain(ADMIN_TOKEN);
  });

  test("are hidden if wrangler repeats them, and their file is removed after a failure", async () => {
    const w = world({ ADMIN_TOKEN: "an-admin-token-of-mine" });
    const run = w.io.run;
    const io: Io = {
      ...w.io,
      run: async (command, args, options) => {
        const finished = await run(command, args, options);
        return args[0] === "deploy" ? { code: 1, stdout: "", stderr: "bad value an-admin-token-of-mine" } : finished;
      },
    };
    expect(await deploy(io, workers, { unattended: true })).toBe(false);
    expect(w.output()).toContain("bad value (secret)");
    expect(w.output()).not.toContain("an-admin-token-of-mine");
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
      expect(w.output()).toContain("Step 5 of 6 (Webhook secrets) failed");
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
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "an-admin-token-of-mine", CLERK_WEBHOOK_SECRET: WHSEC });
    expect(await w.deploy({ unattended: true })).toBe(true);
    expect(w.cloud.get("mailspan-bridge")?.secrets).toMatchObject({ CLERK_WEBHOOK_SECRET: WHSEC });
    expect(w.output()).toContain("clerk: CLERK_WEBHOOK_SECRET is set.");
    expect(w.output()).not.toContain("Skipped");
    expect(await w.deploy({ unattended: true })).toBe(true);
    expect(w.output()).toContain("clerk: CLERK_WEBHOOK_SECRET is kept.");

    const wrong = world({
      TEAM_NAME: "Acme",
      ADMIN_TOKEN: "an-admin-token-of-mine",
      CLERK_WEBHOOK_SECRET: "not base64!",
    });
    expect(await wrong.deploy({ unattended: true })).toBe(false);
    expect(wrong.output()).toContain("CLERK_WEBHOOK_SECRET: ");
  });
});

describe("running it again", () => {
  test("replaces no secret and asks for no team", async () => {
    const w = world({ TEAM_NAME: "Acme", SOURCES: "stripe", STRIPE_WEBHOOK_SECRET: WHSEC });
    await w.deploy();
    const before = structuredClone([...w.cloud]);
    // Given again by mistake: still no reason to replace them.
    w.answer({ API_KEY_SECRET: "another-api-key-secret", ADMIN_TOKEN: "another-admin-token" });
    expect(await w.deploy()).toBe(true);
    expect([...w.cloud]).toEqual(before);
    expect(w.argv).not.toContain("--secrets-file");
    expect(w.asked).not.toContain("TEAM_NAME");
    expect(w.output()).toContain("mailspan-email exists, with the secrets: ADMIN_TOKEN, API_KEY_SECRET.");
    expect(w.output()).toContain("API_KEY_SECRET: kept");
    expect(w.output()).toMatch(/hooks\/stripe +ready/);
  });

  test("stops if the secrets cannot be listed, and does not take them for missing", async () => {
    const w = world();
    w.fail.set("secret list", "A request to the Cloudflare API failed. Authentication error [code: 10000]");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 2 of 6 (Secrets) failed");
    expect(w.output()).toContain("Authentication error [code: 10000]");
    expect(w.output()).toContain("Nothing was changed.");
  });

  test("after a failure of the bridge: the team exists, and ADMIN_TOKEN is asked for until it is right", async () => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "an-admin-token-of-mine" });
    w.fail.set("deploy mailspan-bridge", "no workers.dev subdomain");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 6 of 6 (Bridge) failed");
    expect(w.output()).toContain("no workers.dev subdomain");
    expect(w.output()).toContain("run this again");

    const again = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: ["a-wrong-admin-token", "an-admin-token-of-mine"] });
    for (const [name, worker] of w.cloud) again.cloud.set(name, worker);
    again.teams.add("acme");
    expect(await again.deploy()).toBe(true);
    expect(again.output()).toContain("This admin token is not valid.");
    expect(again.output()).toContain("The team acme exists and is used.");
    expect(again.cloud.get("mailspan-bridge")?.secrets).toEqual({
      EMAIL_API_KEY: KEY,
      ADMIN_TOKEN: "an-admin-token-of-mine",
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
    expect(w.output()).toContain("Step 1 of 6 (Cloudflare account) failed");
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
    expect(w.output()).toContain("Step 3 of 6 (Email Worker) failed");
    expect(w.output()).toContain("/health does not answer: HTTP 404");
  });

  test("--yes without a required variable names it", async () => {
    const w = world();
    expect(await w.deploy({ unattended: true })).toBe(false);
    expect(w.output()).toContain("ADMIN_TOKEN is not set");
    expect(w.cloud.size).toBe(0);
    const wrong = world({ ADMIN_TOKEN: "short" });
    expect(await wrong.deploy({ unattended: true })).toBe(false);
    expect(wrong.output()).toContain("ADMIN_TOKEN: It must have at least 16 characters");
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
    expect(w.done.filter((line) => line === "account a2")).toHaveLength(4);
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
  });

  test("is asked for if wrangler names none", async () => {
    const w = world(
      { TEAM_NAME: "Acme", EMAIL_URL: "https://mail.example.com/", BRIDGE_URL: "https://in.example.com" },
      () => ["example.com/mail/* (zone name: example.com)"],
    );
    expect(await w.deploy()).toBe(true);
    expect(w.asked).toContain("EMAIL_URL");
    expect(w.output()).toContain("https://in.example.com/hooks/stripe ");
  });
});

describe("a dry run", () => {
  const MB = 1_000_000;
  /** A wrangler that bundles to these compressed sizes, or fails. */
  const bundling = (sizes: Record<string, number | string>) => {
    const printed: string[] = [];
    const configs: Json[] = [];
    const run: Run = async (_command, args, { env = {} } = {}) => {
      const path = args[args.indexOf("--config") + 1] ?? "";
      if (path.endsWith(".json")) configs.push(JSON.parse(readFileSync(path, "utf8")) as Json);
      const size = sizes[path.includes("email") ? "email" : "bridge"];
      expect(args).toContain("--dry-run");
      if (typeof size !== "number") return { code: 1, stdout: "", stderr: size ?? "" };
      const bundle_size = { raw_bytes: 4 * size, gzip_bytes: size };
      writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify({ type: "deploy", bundle_size })}\n`);
      return { code: 0, stdout: "", stderr: "" };
    };
    return { io: { run, print: (text: string) => void printed.push(text) }, configs, output: () => printed.join("\n") };
  };

  test("shows the sizes and bindings of both Workers", async () => {
    const { io, output } = bundling({ email: 103_001, bridge: 90_000 });
    expect(await dryRun(io, workers)).toBe(true);
    expect(output()).toMatch(/^mailspan-email +413 KB +104 KB +1 MB +ok +WORKSPACE \(Workspace\), .*ASSETS/m);
    expect(output()).toMatch(
      /^mailspan-bridge +360 KB +90 KB +1 MB +ok +OUTBOX \(Outbox\), EMAIL \(mailspan-email\), \d+ variables$/m,
    );
  });

  test("for another host: only the bridge, without the binding to the email Worker", async () => {
    const { io, output, configs } = bundling({ bridge: 90_000 });
    expect(await dryRun(io, workers, HOSTED)).toBe(true);
    expect(output()).not.toContain("mailspan-email");
    const variables = Object.keys(varsOf(workers.bridge)).length;
    expect(output()).toMatch(new RegExp(`^mailspan-bridge .* OUTBOX \\(Outbox\\), ${variables} variables$`, "m"));
    expect(configs).toMatchObject([{ services: [], vars: { EMAIL_API_URL: HOSTED, CONTACT_PROPERTIES: "flat" } }]);
  });

  test("fails with wrangler's own error if a Worker does not bundle", async () => {
    const { io, output } = bundling({ email: 100_000, bridge: '\u001b[31mCould not resolve\u001b[0m "./planted.ts"' });
    expect(await dryRun(io, workers)).toBe(false);
    expect(output()).toMatch(/^mailspan-bridge .*does not bundle$/m);
    expect(output()).toContain('mailspan-bridge does not bundle:\nCould not resolve "./planted.ts"');
    expect(output()).toMatch(/^mailspan-email .* ok /m);
  });

  test("fails if a Worker has 1 MB or more", async () => {
    const { io, output } = bundling({ email: MB, bridge: MB - 1 });
    expect(await dryRun(io, workers)).toBe(false);
    expect(output()).toMatch(/^mailspan-email +4 MB +1 MB +1 MB +too large/m);
    expect(output()).toMatch(/^mailspan-bridge +4 MB +1 MB +1 MB +ok/m);
    expect(output()).toContain("mailspan-email is too large: 1 MB of 1 MB compressed.");
  });
});

describe("another host of the API", () => {
  const answers = { EMAIL_API_KEY: "hosted-api-key-1234", TEMPLATE_WELCOME: "cl1", TEMPLATE_MAGIC_LINK: "cl2" };

  test("deploys only the bridge, without the binding to the email Worker, with the ids of the host", async () => {
    const w = world(answers);
    expect(await w.deploy({ host: `${HOSTED}/` })).toBe(true);
    expect(w.done).toEqual(["whoami --json", "secret list", "deploy mailspan-bridge", "services []"]);
    expect(w.requests[0]?.line).toBe(`GET ${HOSTED}/v1/api-key`);
    expect(w.cloud.get("mailspan-bridge")).toEqual({
      secrets: { EMAIL_API_KEY: "hosted-api-key-1234", ADMIN_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/) },
      // All others as they stand in wrangler.toml.
      vars: {
        ...varsOf(workers.bridge),
        EMAIL_API_URL: HOSTED,
        CONTACT_PROPERTIES: "flat",
        TEMPLATES: { welcome: "cl1", "magic-link": "cl2" },
      },
    });
    expect(w.output()).toContain('Left out: calls with the template "receipt" fail');
    expect(w.output()).not.toContain("hosted-api-key-1234");
  });

  test("again: keeps key and ids. Back to the email Worker: creates a key of it", async () => {
    const w = world(answers);
    await w.deploy({ host: HOSTED });
    const before = structuredClone([...w.cloud]);
    expect(await w.deploy({ host: HOSTED })).toBe(true);
    expect([...w.cloud]).toEqual(before);

    w.answer({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-bridge")?.secrets.EMAIL_API_KEY).toBe(KEY);
    expect(w.cloud.get("mailspan-bridge")?.vars.EMAIL_API_URL).toBe("");
  });

  test("a key that the host refuses stops the run; a key of another host is not kept", async () => {
    const w = world({ EMAIL_API_KEY: "some-other-key-1234" });
    expect(await w.deploy({ host: HOSTED })).toBe(false);
    expect(w.output()).toContain(`${HOSTED} refuses this key (401): Invalid API key`);
    w.cloud.set("mailspan-bridge", { secrets: { EMAIL_API_KEY: "k", ADMIN_TOKEN: "t" }, vars: { EMAIL_API_URL: "" } });
    expect(await w.deploy({ host: HOSTED })).toBe(false);
    expect(w.output()).toContain("EMAIL_API_KEY is not set");
  });

  test("must have an https address", () => {
    expect(hostOf(workers, "https://api.example.com/base/")).toBe("https://api.example.com/base");
    expect(hostOf(workers, undefined)).toBeUndefined();
    for (const host of ["http://api.example.com", "api.example.com", "", "https://a.test/?x=1"]) {
      expect(() => hostOf(workers, host)).toThrow("expected an address");
    }
  });
});

test("the slug of a team's name", () => {
  expect(slugOf("Ädler & Co.")).toBe("adler-co");
  expect(slugOf(`${"a".repeat(31)} b`)).toBe("a".repeat(31));
  expect(slugOf("株式会社")).toBe("");
});
