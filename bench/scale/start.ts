import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changed, readWorkers } from "../../scripts/deploy/config.ts";
import { seedTeam } from "../../scripts/start/seed.ts";
import { startWorkers } from "../../scripts/workers.ts";
import type { Fill } from "./fill.ts";

export const SECRETS = {
  ADMIN_TOKEN: "admin-token-of-the-measurement",
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  CLERK_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};

/** `ms`: until the last byte. `json`: undefined for other types. */
export type Answer = { status: number; ms: number; bytes: number; json: unknown };

export type Scale = Awaited<ReturnType<typeof startScale>>;

const timed = async (url: string, init: RequestInit): Promise<Answer> => {
  const began = performance.now();
  const response = await fetch(url, init);
  const content = await response.arrayBuffer();
  const ms = performance.now() - began;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const json = isJson ? JSON.parse(new TextDecoder().decode(content)) : undefined;
  return { status: response.status, ms, bytes: content.byteLength, json };
};

const configsIn = (folder: string) => {
  const { bridge, email, dashboard } = readWorkers();
  const entry = (name: string) => ({ main: join(import.meta.dirname, `${name}.ts`) });
  return {
    bridge: changed(bridge, entry("bridge"), folder, "bridge.json").path,
    email: changed(email, entry("email"), folder, "email.json").path,
    dashboard: dashboard.path,
  };
};

/** Starts the three Workers with a dashboard session. `more`: additional variables of the email Worker. */
export const startScale = async (more: Record<string, unknown> = { INBOX: "1" }) => {
  const folder = await mkdtemp(join(tmpdir(), "mailspan-scale-"));
  const { ADMIN_TOKEN } = SECRETS;
  let key = "";
  const bridgeVars = async (emailUrl: string) => {
    key = await seedTeam(emailUrl, ADMIN_TOKEN, "");
    return { ...SECRETS, EMAIL_API_KEY: key };
  };
  const emailVars = { ADMIN_TOKEN, API_KEY_SECRET: "key-secret-of-the-measurement", ...more };
  const { url, emailUrl, dashboardUrl, stop } = await startWorkers({
    port: 0,
    emailPort: 0,
    state: join(folder, "state"),
    configs: configsIn(folder),
    bridgeVars,
    emailVars,
    dashboard: { port: 0, vars: { ADMIN_TOKEN } },
  });
  const headers = { "Content-Type": "application/json", "X-Mailspan": "1", Origin: dashboardUrl ?? "" };
  const login = await fetch(`${dashboardUrl}/api/session`, {
    method: "POST",
    headers,
    body: JSON.stringify({ token: ADMIN_TOKEN }),
  });
  if (!login.ok) throw new Error(`The login was refused: ${await login.text()}`);
  const cookie = (login.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  const fill = async (address: string, given: Fill): Promise<Record<string, unknown>[]> => {
    const response = await fetch(address, { method: "POST", body: JSON.stringify(given) });
    if (!response.ok) throw new Error(`${given.query}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>[];
  };
  return {
    url,
    emailUrl,
    dashboardUrl: dashboardUrl ?? "",
    cookie,
    /** `path`: after /api. */
    ask: (path: string, body?: object, method = "POST"): Promise<Answer> =>
      timed(`${dashboardUrl}/api${path}`, {
        headers: { ...headers, Cookie: cookie },
        ...(body ? { method, body: JSON.stringify(body) } : {}),
      }),
    v1: (path: string, body?: object): Promise<Answer> =>
      timed(`${emailUrl}/v1${path}`, {
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      }),
    fillBridge: (given: Fill) => fill(`${url}/bench`, given),
    fillEmail: (given: Fill) => fill(`${emailUrl}/bench?team=demo`, given),
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
