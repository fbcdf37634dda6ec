import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, vi } from "vitest";
import type { AccessContext } from "../../../src/dashboard/worker/access.ts";
import { createApp } from "../../../src/dashboard/worker/app.ts";
import type { Env } from "../../../src/dashboard/worker/env.ts";

export const TOKEN = "an-admin-token-of-the-dashboard-tests";
export const ORIGIN = "https://dashboard.example.com";
/** Far ahead of the machine's clock: alarms run only when a test runs them. */
export const START = Date.UTC(2090, 0, 1, 12);

/** A half of Mailspan that records its requests. */
export const recorder = (reply: (request: Request) => Response = () => Response.json({ ok: true })) => {
  const requests: { method: string; url: string; headers: Headers; body: string; redirect: string }[] = [];
  return {
    requests,
    fetch: async (request: Request) => {
      const { method, url, headers, redirect } = request;
      requests.push({ method, url, headers, redirect, body: await request.text() });
      return reply(request);
    },
  };
};

const files: Record<string, Response> = {};
const assets = {
  fetch: async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/index.html") return new Response('<meta property="csp-nonce" nonce="__NONCE__">');
    if (pathname === "/assets/main-abc.js")
      return new Response("run()", { headers: { "Content-Type": "text/javascript" } });
    return files[pathname] ?? new Response("missing", { status: 404 });
  },
};

const bindings = env as unknown as Pick<Env, "LOGINS">;

/**
 * The dashboard with two recorded halves. `changes` replace bindings, and undefined removes one. `kept`: work after a
 * client has left.
 */
export const dashboard = (changes: Partial<Record<keyof Env, unknown>> = {}, context?: AccessContext) => {
  const bridge = recorder();
  const email = recorder();
  const all = { LOGINS: bindings.LOGINS, ASSETS: assets, ADMIN_TOKEN: TOKEN, BRIDGE: bridge, EMAIL: email, ...changes };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const app = createApp(given as unknown as Env, context);
  const kept: Promise<unknown>[] = [];
  const lasting = { waitUntil: (work: Promise<unknown>) => void kept.push(work), passThroughOnException: () => {} };
  const ask = async (method: string, path: string, options: Options = {}) =>
    app.request(requestOf(method, path, options), undefined, undefined, { ...lasting, props: {} } as ExecutionContext);
  const logIn = async (body: object = { token: TOKEN }) => cookieOf(await ask("POST", "/api/session", { body }));
  return { app, ask, logIn, bridge, email, kept };
};

type Options = {
  body?: unknown;
  raw?: BodyInit;
  cookie?: string;
  headers?: Record<string, string>;
  without?: readonly string[];
  origin?: string;
};

const requestOf = (
  method: string,
  path: string,
  { body, raw, cookie, headers = {}, without = [], origin = ORIGIN }: Options,
) => {
  const sent = new Headers({ Origin: origin, "Sec-Fetch-Site": "same-origin", "X-Mailspan": "1" });
  const sentBody = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  if (sentBody !== undefined) sent.set("Content-Type", "application/json");
  if (cookie !== undefined) sent.set("Cookie", cookie);
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  for (const name of without) sent.delete(name);
  return new Request(origin + path, { method, headers: sent, ...(sentBody === undefined ? {} : { body: sentBody }) });
};

export const cookieOf = (answer: Response): string => answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";

/** Gives every test of a file a stopped clock at START and an empty Logins. */
export const isolated = () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await reset();
  });
};

export const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);
