import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopsClient } from "loops";
import { dashboardFor, readWorkers } from "../../scripts/deploy/config.ts";
import { seedTeam } from "../../scripts/start/seed.ts";
import { loadWorker, startWorkers } from "../../scripts/workers.ts";
import type { Journaled } from "../../src/outbox/model/journal-types.ts";
import { checkedAnswer } from "../bridge-answer.ts";

export const secrets = {
  STRIPE_WEBHOOK_SECRET: "whsec_test_stripe",
  CLERK_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  SUPABASE_HOOK_SECRET: "v1,whsec_9/aEo92he/COTHQ/t9CEQy0rC9jDAj5gqNUsJEJI3EE=",
  GENERIC_WEBHOOK_SECRET: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  ADMIN_TOKEN: "test-admin-token-of-the-system-tests",
};

export const PUBLIC_URL = "https://mail.example.com";

type Mail = {
  id: string;
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
};
export type Shown = Omit<Journaled, "seq" | "rank" | "secretPaths"> & { id: string; acceptedAt: string };
export type Mailspan = Awaited<ReturnType<typeof startMailspan>>;

/** Waits at most `ms` until `get` gives a value. */
export const until = async <T>(what: string, get: () => Promise<T | undefined>, ms = 15_000): Promise<T> => {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const value = await get();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
  }
};

export const isSettled = ({ deliveries }: Pick<Shown, "deliveries">): boolean =>
  deliveries.every(({ state }) => state !== "waiting" && state !== "sending");

const built = new Map<string, ReturnType<typeof loadWorker>>();
/** Builds each Worker once in a process. A failed build is not kept. */
export const loadOnce = (path: string): ReturnType<typeof loadWorker> => {
  const worker = built.get(path) ?? loadWorker(path);
  built.set(path, worker);
  worker.catch(() => built.delete(path));
  return worker;
};

/** The bound halves of the dashboard. Without the email service, the bridge calls another email service with the v1 API. */
export type Halves = { hasBridge: boolean; hasEmail: boolean };

const configsFor = (halves: Halves, folder: string) => {
  const workers = readWorkers();
  const dashboard = dashboardFor(workers, halves, folder);
  return { bridge: workers.bridge.path, email: workers.email.path, dashboard: dashboard.path };
};

/**
 * The Workers on free ports with a seeded team. `vars`: for the bridge; `moreEmailVars`: for the email service.
 * `dashboardVars` add a dashboard.
 */
export const startMailspan = async (
  vars: Record<string, unknown> = {},
  moreEmailVars: Record<string, unknown> = {},
  dashboardVars?: Record<string, unknown>,
  halves: Halves = { hasBridge: true, hasEmail: true },
) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-"));
  const { ADMIN_TOKEN } = secrets;
  const emailVars = { ADMIN_TOKEN, API_KEY_SECRET: "test-key-secret", INBOX: "1", PUBLIC_URL, ...moreEmailVars };
  let key = "";
  const bridgeVars = async (emailUrl: string) => {
    key = await seedTeam(emailUrl, ADMIN_TOKEN, "");
    return { ...secrets, EMAIL_API_KEY: key, ...(halves.hasEmail ? {} : { EMAIL_API_URL: emailUrl }), ...vars };
  };
  const dashboard = dashboardVars && { dashboard: { port: 0, vars: { ADMIN_TOKEN, ...dashboardVars } } };
  const workers = await startWorkers({
    port: 0,
    emailPort: 0,
    state,
    configs: configsFor(halves, state),
    bridgeVars,
    emailVars,
    load: loadOnce,
    ...dashboard,
  });

  const client = new LoopsClient(key);
  client.apiRoot = `${workers.emailUrl}/`;
  const admin = async (path: string) => {
    const response = await fetch(workers.url + path, { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return checkedAnswer("GET", path, response.status, await response.json());
  };
  const webhooks = async (limit = 100) => ((await admin(`/admin/webhooks?limit=${limit}`)) as { data: Shown[] }).data;
  const email = async (path: string) => (await fetch(workers.emailUrl + path)).json();
  const emailAdmin = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" };
    const response = await fetch(workers.emailUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as { key?: string };
  };
  return {
    ...workers,
    emailVars,
    key,
    client,
    state,
    post: (source: string, raw: string, headers: Record<string, string>) =>
      fetch(`${workers.url}/hooks/${source}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: raw,
      }),
    emailAdmin,
    /** Creates a team with a rate limit of its own, and returns its key. */
    newTeam: async (id: string, settings: { samples?: boolean } = {}) => {
      await emailAdmin("/admin/teams", { id, name: id, createProperties: true, ...settings });
      return (await emailAdmin(`/admin/teams/${id}/keys`, { name: "test" })).key ?? "";
    },
    webhooks,
    webhook: async (id: string) => (await admin(`/admin/webhooks/${id}`)) as Shown,
    settled: (id: string, ms = 5_000) =>
      until(
        `every delivery of ${id} settled`,
        async () => {
          const webhook = (await admin(`/admin/webhooks/${id}`)) as Shown;
          return isSettled(webhook) ? webhook : undefined;
        },
        ms,
      ),
    allSettled: () =>
      until("every delivery settled", async () => ((await webhooks()).every(isSettled) ? true : undefined), 30_000),
    inbox: async () =>
      (await email("/inbox.json")) as { mails: { id: string; to: string; subject: string }[]; total: number },
    mail: async (id: string) => (await email(`/inbox/${id}.json`)) as Mail,
    stop: async () => {
      await workers.stop();
      await rm(state, { recursive: true, force: true });
    },
  };
};

let shared: Promise<Mailspan> | undefined;
/**
 * The Workers and a dashboard that several files of a process share. They end with the process: a file uses addresses
 * of its own, changes no variable, and stops nothing.
 */
export const sharedMailspan = (): Promise<Mailspan> => {
  shared ??= startMailspan({}, { DEDICATED_SENDING_IPS: ["192.0.2.1"] }, {}).then((mailspan) => {
    process.once("exit", () => rmSync(mailspan.state, { recursive: true, force: true }));
    return mailspan;
  });
  return shared;
};
