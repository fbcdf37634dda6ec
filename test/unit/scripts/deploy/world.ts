import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { askEnvironment } from "../../../../scripts/deploy/ask.ts";
import { readWorkers } from "../../../../scripts/deploy/config.ts";
import { deploy } from "../../../../scripts/deploy/flow.ts";
import type { Finished, Io, Question } from "../../../../scripts/deploy/io.ts";
import { readDomainName } from "../../../../src/email/mail/dns/name.ts";

export const workers = readWorkers();
export const isEmail = (path: string): boolean => path === workers.email.path;
export const HOSTED = "https://hosted.example.com";
export const KEY = "ms_acme_0123456789abcdefghijklmnopqrstuv_0123456789abcdef01234567";
export const WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

type Deployed = { secrets: Record<string, string>; vars: Record<string, unknown> };
export type Json = Record<string, unknown>;

/** A fake account, terminal and network. `answers` by the variable of the question. */
export const world = (
  answers: Record<string, string | string[]> = {},
  targetsOf = (name: string) => ["schedule: * * * * *", `https://${name}.acme.workers.dev`],
) => {
  const cloud = new Map<string, Deployed>();
  const teams = new Set<string>();
  const buckets = new Set<string>();
  const queues = new Set<string>();
  const printed: string[] = [];
  const done: string[] = [];
  const argv: string[] = [];
  const files: string[] = [];
  const deployed: Json[] = [];
  const requests: { line: string; bearer: string | null; body: unknown }[] = [];
  const given = new Map(Object.entries(answers).map(([name, answer]) => [name, [answer].flat()]));
  const state = { login: { loggedIn: true, email: "ada@example.com", accounts: [{ id: "a1", name: "Acme" }] } as Json };
  const fail = new Map<string, string>();
  const plan = { isFree: false };
  const asked: string[] = [];

  const checks: string[] = [];
  const sends: Json[] = [];
  const campaigns: { id: string; name: string; state: string }[] = [];
  let domainName: string | undefined;
  const domainAs = (status: string): Json => {
    const right = status === "verified" ? "right" : "missing";
    const host = `ms1._domainkey.${domainName}`;
    const dkim = {
      type: "TXT",
      host,
      value: "v=DKIM1; p=AA",
      required: true,
      status: right,
      message: "There is no record.",
    };
    return { id: "dom_1", name: domainName, state: status, records: [dkim] };
  };
  const domains = (method: string, path: string, body: Json | undefined): Response => {
    if (path.endsWith("/check")) return Response.json(domainAs(checks.shift() ?? "pending"));
    if (method === "GET") return Response.json({ data: [domainAs("pending")] });
    if (domainName !== undefined) return Response.json({ message: "exists" }, { status: 409 });
    const read = readDomainName(String(body?.name));
    if ("problem" in read) return Response.json({ message: `name: ${read.problem}` }, { status: 400 });
    domainName = read.name;
    return Response.json(domainAs("pending"), { status: 201 });
  };

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
    const own = Object.values(workers).find(({ path }) => path === option("--config"));
    const worker = config ?? own?.raw ?? {};
    const name = String(worker.name);
    const command = args[0] === "deploy" ? `deploy ${name}` : args.slice(0, args[0] === "r2" ? 3 : 2).join(" ");
    done.push(command);
    if (env.CLOUDFLARE_ACCOUNT_ID) done.push(`account ${env.CLOUDFLARE_ACCOUNT_ID}`);
    const failure = fail.get(command);
    if (failure !== undefined) return { code: 1, stdout: "", stderr: failure };
    if (plan.isFree && args[0] === "deploy" && worker.limits !== undefined)
      return { code: 1, stdout: "", stderr: "CPU limits are not supported for the Free plan. [code: 100328]" };
    const there = cloud.get(name);
    switch (args[0]) {
      case "whoami":
        return { ...finished(state.login), code: state.login.loggedIn ? 0 : 1 };
      case "secret":
        if (!there)
          return { code: 1, stdout: "", stderr: `\u001b[31mX [ERROR]\u001b[0m Worker "${name}" not found.\n` };
        return finished(Object.keys(there.secrets).map((secret) => ({ name: secret, type: "secret_text" })));
      case "r2": {
        const there = buckets.has(args[3] ?? "");
        if (args[2] === "create") buckets.add(args[3] ?? "");
        return { code: there === (args[2] === "info") ? 0 : 1, stdout: "", stderr: "The bucket exists. [code: 10004]" };
      }
      case "queues": {
        const there = queues.has(args[2] ?? "");
        if (args[1] === "create") queues.add(args[2] ?? "");
        return { code: there === (args[1] === "info") ? 0 : 1, stdout: "", stderr: "The queue exists. [code: 11009]" };
      }
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
        const given = Object.fromEntries(
          args.flatMap((arg, i) => {
            const [variable = "", ...value] = arg === "--var" ? (args[i + 1] ?? "").split(":") : [];
            return variable === "" ? [] : [[variable, value.join(":")]];
          }),
        );
        const vars = { ...(worker.keep_vars ? there?.vars : {}), ...(worker.vars as Json), ...given };
        cloud.set(name, { secrets: { ...there?.secrets, ...secrets }, vars });
        if (config?.services) done.push(`services ${JSON.stringify(config.services)}`);
        deployed.push(worker);
        // As wrangler writes them: a line of the session, then the line of the deployment.
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
      const text = await request.text();
      const body = text === "" ? undefined : (JSON.parse(text) as Json);
      requests.push({ line: `${request.method} ${request.url}`, bearer, body });
      if (url.pathname === "/health") {
        const isKnown = cloud.get("mailspan-email")?.vars.PUBLIC_URL !== undefined;
        const { vars } = cloud.get("mailspan-email") ?? {};
        const reasons = [
          ...(vars?.TRANSACTIONAL_SENDER === undefined ? ["no mail leaves: no sender is configured"] : []),
          ...(isKnown ? [] : ["PUBLIC_URL is not set: icons in mails are shown as words"]),
        ];
        if (!url.hostname.includes("email")) reasons.length = 0;
        return Response.json({ status: reasons.length ? "degraded" : "ok", reasons });
      }
      if (url.pathname === "/api/session") return Response.json({ code: "session_required" }, { status: 401 });
      if (url.pathname === "/v1/api-key") {
        return bearer === "Bearer hosted-api-key-1234"
          ? Response.json({ success: true, teamName: "Hosted" })
          : Response.json({ success: false, error: "Invalid API key" }, { status: 401 });
      }
      if (url.pathname === "/v1/transactional") return Response.json({ success: true, id: "snd_1_a" });
      const token = cloud.get("mailspan-email")?.secrets.ADMIN_TOKEN;
      if (bearer !== `Bearer ${token}`)
        return Response.json({ message: "This admin token is not valid." }, { status: 401 });
      if (url.pathname.endsWith("/samples")) {
        const team = url.pathname.split("/")[3] ?? "";
        if (!teams.has(team)) return Response.json({ message: `There is no team "${team}".` }, { status: 404 });
        const templates = [
          { id: "tpl_receipt", name: "Receipt", added: false },
          { id: "tpl_invitation", name: "Invitation", added: true },
        ];
        return Response.json({ success: true, themes: [], templates });
      }
      const [, act] = /\/campaigns(?:\/([^/]+\/\w+))?$/.exec(url.pathname) ?? [];
      if (act !== undefined) {
        const [id, what] = act.split("/");
        done.push(`${what} ${id}`);
        const campaign = campaigns.find((one) => one.id === id);
        if (!campaign || fail.has(`${what} ${id}`)) return Response.json({ message: "no" }, { status: 409 });
        campaign.state = what === "pause" ? "paused" : "sending";
        return Response.json({ id });
      }
      if (url.pathname.endsWith("/campaigns")) {
        expect(url.searchParams.get("status")).toBe("Sending");
        const from = Number(url.searchParams.get("cursor") ?? 0);
        const end = from + Number(url.searchParams.get("perPage"));
        const data = campaigns.slice(from, end).map(({ state, ...rest }) => ({ ...rest, progress: { state } }));
        return Response.json({ pagination: { nextCursor: end < campaigns.length ? String(end) : null }, data });
      }
      if (request.method === "GET" && url.pathname === "/admin/teams")
        return Response.json({ pagination: { nextCursor: null }, data: [...teams].map((id) => ({ id })) });
      if (url.pathname.includes("/domains")) return domains(request.method, url.pathname, body);
      if (url.pathname.includes("/sends/")) return Response.json(sends.shift() ?? {});
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
    buildPage: async () => void done.push("build the page"),
  };
  return {
    io,
    cloud,
    done,
    argv,
    files,
    deployed,
    requests,
    fail,
    plan,
    asked,
    state,
    teams,
    buckets,
    checks,
    sends,
    campaigns,
    output: () => printed.join("\n"),
    answer: (more: Record<string, string>) => {
      for (const [name, value] of Object.entries(more)) given.set(name, [value]);
    },
    deploy: (
      options: { service?: string; hasBridge?: boolean; unattended?: boolean; wait?: boolean; plan?: string } = {},
    ) => {
      for (const list of [printed, done, argv, asked, requests]) list.length = 0;
      return deploy(io, workers, { unattended: false, ...options });
    },
  };
};

export const times = (text: string, part: string) => text.split(part).length - 1;
