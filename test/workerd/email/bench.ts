import { reset, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import type { Env } from "../../../src/email/env.ts";
import { createApp } from "../../../src/email/http/app.ts";
import type { Directory } from "../../../src/email/objects/directory.ts";
import type { Inbox } from "../../../src/email/objects/inbox.ts";
import type { Mailer } from "../../../src/email/objects/mailer.ts";
import type { Workspace } from "../../../src/email/workspace/object.ts";

import { type Copy, copyAll, putBack } from "./copies.ts";
import { kept } from "./dump.ts";

export { dump } from "./dump.ts";

type Bindings = {
  WORKSPACE: DurableObjectNamespace<Workspace>;
  INBOX_STORE: DurableObjectNamespace<Inbox>;
  MAILER: DurableObjectNamespace<Mailer>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  UPLOADS: R2Bucket;
};

// Only the objects have the former secret: they read a variable of wrangler.toml.
const secrets = {
  ADMIN_TOKEN: "the-operator-token-of-the-tests",
  API_KEY_SECRET: "key-secret-of-the-tests",
  FORMER_API_KEY_SECRETS: "",
};
export const bindings = { ...(env as unknown as Bindings), ...secrets, INBOX: "1" };

/** The email Worker's app. `changes` replace variables, and undefined removes one. */
export const appWith = (changes: Partial<Record<keyof Env, string | undefined>> = {}) => {
  const changed = Object.entries({ ...bindings, ...changes }).filter(([, value]) => value !== undefined);
  return createApp(Object.fromEntries(changed) as unknown as Env);
};
export const app = appWith();

/** Far ahead of the machine's clock: alarms run only by `runDurableObjectAlarm`. */
export const START = Date.UTC(2090, 0, 1, 12);

/** Gives every test of a file a stopped clock at START and empty objects. */
export const isolated = () => {
  beforeAll(empty);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
  });
  afterEach(empty);
};

/** Files of the bridge leave objects. Copied with those of a test, they would make it many times slower. */
const empty = async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await handedOver();
  teams.clear();
  await reset();
};

/**
 * Gives each test the state that `make` arranges once, because that is slow. All objects are restored, but not the
 * bucket.
 * A test starts two minutes later, in a new rate window.
 */
export const arranged = <T>(make: () => Promise<T>): (() => T) => {
  let made: T | undefined;
  let copies: Copy[] = [];
  let now = START;
  beforeAll(empty);
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now });
    if (made === undefined) {
      made = await make();
      await handedOver();
      now = Date.now();
      copies = await copyAll();
    } else {
      await putBack(copies);
    }
    advance(120_000);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await handedOver();
  });
  afterAll(empty);
  return () => {
    if (made === undefined) throw new Error("Nothing is arranged outside of a test.");
    return made;
  };
};

/** Runs the alarm of an object and waits for its mail. Returns false if none was set. */
export const runAlarm = async (stub: DurableObjectStub): Promise<boolean> => {
  const ran = await runDurableObjectAlarm(stub);
  await handedOver();
  return ran;
};

const teams = new Set<DurableObjectStub<Workspace>>();

/** The Mailer of claims that a test makes itself. No such Mailer works. */
export const MANUAL = "acme:marketing:99";

/** Waits up to 2 s until no mail is with a sender: a working object keeps its rows through a reset. */
export const handedOver = async (): Promise<void> => {
  const isSending = (stub: DurableObjectStub<Workspace>) =>
    runInDurableObject(stub, (_: Workspace, { storage: { sql } }) => {
      const hasSends = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'sends'").toArray().length > 0;
      // A manual claim of a test names no Mailer.
      const claimed = `SELECT 1 FROM sends WHERE state = 'sending' AND mailer LIKE '%:%' AND mailer <> ?1
        UNION ALL SELECT 1 FROM mailer_claims WHERE since IS NOT NULL AND mailer <> ?1 LIMIT 1`;
      return hasSends && sql.exec(claimed, MANUAL).toArray().length > 0;
    }).catch(() => false);
  for (const stub of teams) {
    for (const end = performance.now() + 2_000; performance.now() < end && (await isSending(stub)); )
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

export const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

type Sent = { headers?: Record<string, string>; body?: unknown };

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;

export const request = async (method: string, path: string, { headers, body }: Sent = {}, on = app) => {
  const response = await on.request(path, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  const json = (text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined) as any;
  return { status: response.status, headers: response.headers, text, json };
};

export const admin = (method: string, path: string, body?: unknown) =>
  request(method, path, { body, headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` } });

type Settings = { id?: string; name?: string; createProperties?: boolean; samples?: boolean };

/** A team with a key and request functions. Requests are 100 ms apart, within the rate limit. */
export const createTeam = async (settings: Settings = {}) => {
  const id = settings.id ?? "acme";
  await admin("POST", "/admin/teams", { name: "Acme", ...settings, id });
  const { json } = await admin("POST", `/admin/teams/${id}/keys`, { name: "test" });
  const key = json.key as string;
  const stub = bindings.WORKSPACE.getByName(id);
  teams.add(stub);
  const authorization = { Authorization: `Bearer ${key}` };
  const send = (method: string, path: string, sent: Sent = {}) =>
    request(method, `/v1${path}`, { ...sent, headers: { ...authorization, ...sent.headers } });
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    advance(100);
    return send(method, path, { body, headers });
  };
  const inside = <T>(look: (sql: SqlStorage, storage: DurableObjectStorage) => T | Promise<T>) =>
    runInDurableObject(stub, (_: Workspace, { storage }) => look(storage.sql, storage));
  return {
    key,
    stub,
    /** A request without the 100 ms before it. */
    send,
    get: (path: string) => call("GET", path),
    post: (path: string, body: unknown, headers?: Record<string, string>) => call("POST", path, body, headers),
    put: (path: string, body: unknown) => call("PUT", path, body),
    remove: (path: string) => call("DELETE", path),
    admin: (method: string, path: string, body?: unknown) => admin(method, `/admin/teams/${id}${path}`, body),
    inside,
    rows: (query: string) => inside((sql) => sql.exec(query).toArray()),
    run: (statement: string, ...values: SqlStorageValue[]) =>
      inside((sql) => {
        sql.exec(statement, ...values);
      }),
    everything: () => inside(kept),
    find: async (who: { email?: string; userId?: string }) =>
      (await call("GET", `/contacts/find?${new URLSearchParams(who)}`)).json[0],
  };
};
export type Team = Awaited<ReturnType<typeof createTeam>>;
