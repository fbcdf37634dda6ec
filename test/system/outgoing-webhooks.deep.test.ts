import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/lib/contract/outgoing-events.ts";
import { type Mailspan, secrets, startMailspan, until } from "./mailspan.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan({}, { WEBHOOKS_ALLOW_PRIVATE: "1" });
});
afterAll(() => mailspan?.stop());

type Got = { headers: IncomingHttpHeaders; text: string; at: number };
type Looked = { data: { lastAttempts: { error?: string }[] }[]; webhook: { waiting: number } };
const servers: Server[] = [];
const added: string[] = [];

const listen = async (answer: (response: ServerResponse, got: Got[]) => void) => {
  const got: Got[] = [];
  const state = { open: 0, most: 0 };
  const server = createServer((request, response) => {
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    response.on("close", () => {
      state.open -= 1;
    });
    let text = "";
    request.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      got.push({ headers: request.headers, text, at: Date.now() });
      answer(response, got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, got, state };
};

const admin = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${mailspan.emailUrl}/admin/teams/demo${path}`, {
    method,
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as unknown;
};
const add = async (url: string, fields: object = {}) => {
  const webhook = (await admin("POST", "/webhooks", { url, ...fields })) as { id: string; secret: string };
  added.push(webhook.id);
  return webhook;
};
const v1 = async (method: string, path: string, body: object) => {
  await new Promise((resolve) => setTimeout(resolve, 110));
  const start = performance.now();
  const response = await fetch(`${mailspan.emailUrl}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${mailspan.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, ms: performance.now() - start };
};

afterEach(async () => {
  for (const id of added.splice(0)) await admin("DELETE", `/webhooks/${id}`);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const LISTS = 500;
const ROUNDS = 20;

const memoryOfWorkers = async (): Promise<number> => {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "ppid=,rss=,comm="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const own = rows.filter(([parent, , name]) => Number(parent) === process.pid && name?.includes("workerd"));
  return own.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) / 1024, 0);
};

const ok = (response: ServerResponse) => response.writeHead(204).end();

describe("outgoing webhooks over real HTTP", () => {
  it("are verified by the standardwebhooks package and have the published bodies", async () => {
    const published = JSON.parse(
      await readFile(join(import.meta.dirname, "../fixtures/email/outgoing-webhooks.json"), "utf8"),
    );
    const ajv = new Ajv({ strict: false });
    ajv.addSchema({ $id: "published", components: { schemas: published.schemas } });
    const byName = new Map(
      Object.values(published.events as Record<string, string>).map((schema) => {
        const own = JSON.stringify(published.schemas[schema]);
        return [/"eventName":\{[^}]*"const":"([^"]+)"/.exec(own)?.[1], schema];
      }),
    );
    expect([...byName.keys()].sort()).toEqual([...EVENT_TYPES].sort());

    const { url, got } = await listen(ok);
    const { id, secret } = await add(url);
    const list = (await admin("POST", "/lists", { name: "News" })) as { id: string };
    const contact = { email: "wh@example.com", userId: "wh1" };
    await v1("POST", "/contacts/create", { ...contact, firstName: "Ada", mailingLists: { [list.id]: true } });
    await v1("PUT", "/contacts/update", { ...contact, mailingLists: { [list.id]: false }, subscribed: false });
    const mail = { transactionalId: "tpl_welcome", email: contact.email, dataVariables: { name: "Ada" } };
    expect((await v1("POST", "/transactional", mail)).status).toBe(200);
    await v1("POST", "/contacts/delete", { userId: "wh1" });
    await admin("POST", `/webhooks/${id}/test`);
    await until("all events", async () => (got.length >= 7 ? true : undefined));
    const names = got.map(({ headers, text }) => {
      const body = new Webhook(secret).verify(text, headers as Record<string, string>) as { eventName: string };
      const valid = ajv.validate({ $ref: `published#/components/schemas/${byName.get(body.eventName)}` }, body);
      expect(ajv.errorsText(), text).toBe("No errors");
      expect(valid).toBe(true);
      return body.eventName;
    });
    expect(names.sort()).toEqual([
      "contact.created",
      "contact.deleted",
      "contact.mailingList.subscribed",
      "contact.mailingList.unsubscribed",
      "contact.unsubscribed",
      "testing.testEvent",
      "transactional.email.sent",
    ]);
  });

  it("follow no redirect", async () => {
    const target = await listen(ok);
    const { url, got } = await listen((response) => response.writeHead(302, { Location: target.url }).end());
    const { id } = await add(url);
    await admin("POST", `/webhooks/${id}/test`);
    await until("an attempt", async () => (got.length > 0 ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(target.got).toEqual([]);
    const { data } = (await admin("GET", `/webhooks/${id}`)) as { data: { lastAttempts: object[] }[] };
    expect(data[0]?.lastAttempts[0]).toMatchObject({ status: 302 });
  });

  it("to a failed and to a slow endpoint wait by the thousand, delay nothing else, and come in order", async () => {
    const failed = await listen(() => {});
    const alive = await listen(ok);
    let isSlow = true;
    const slow = await listen((response) => setTimeout(() => ok(response), isSlow ? 500 : 0));
    const newList = (_: unknown, n: number) =>
      admin("POST", "/lists", { name: `List ${n}` }) as Promise<{ id: string }>;
    const lists = await Promise.all(Array.from({ length: LISTS }, newList));
    const membership = { events: ["contact.mailingList.subscribed", "contact.mailingList.unsubscribed"] };
    const created = { events: ["contact.created"] };
    for (const { url } of [failed, slow]) await add(url, membership);
    await add(alive.url, created);
    const { id: failedId } = await add(failed.url, created);

    const before = await memoryOfWorkers();
    expect(before).toBeGreaterThan(20);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const mailingLists = Object.fromEntries(lists.map(({ id }) => [id, round % 2 === 0]));
      expect((await v1("PUT", "/contacts/update", { userId: "busy", mailingLists })).status).toBe(200);
      const { status, ms } = await v1("POST", "/contacts/create", { email: `alive${round}@example.com` });
      expect(status).toBe(200);
      times.push(ms);
    }
    await until("all events at the other endpoint", async () => (alive.got.length > ROUNDS ? true : undefined), 5_000);
    expect(times.sort((a, b) => a - b)[ROUNDS / 2]).toBeLessThan(500);
    const webhooks = ((await admin("GET", "/webhooks")) as { data: { id: string; url: string }[] }).data;
    const waiting = await Promise.all(
      webhooks.map(async ({ id }) => ((await admin("GET", `/webhooks/${id}`)) as Looked).webhook.waiting),
    );
    expect(waiting.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(2 * LISTS * ROUNDS - 500);
    expect(failed.state.most).toBeLessThanOrEqual(8);
    expect(slow.state.most).toBe(4);
    expect((await memoryOfWorkers()) - before).toBeLessThan(100);

    isSlow = false;
    await until("a thousand events", async () => (slow.got.length > 1_000 ? true : undefined), 20_000);
    const order = slow.got.map(({ headers }) => Number.parseInt(String(headers["webhook-id"]).split("_")[1] ?? "", 36));
    expect(new Set(order).size).toBe(order.length);
    const sorted = order.toSorted((a, b) => a - b);
    // Four simultaneous requests may arrive in any order.
    const isInOrder = (event: number, place: number) => sorted.slice(Math.max(0, place - 4), place + 5).includes(event);
    expect(order.filter((event, place) => !isInOrder(event, place))).toEqual([]);

    const lateOf = async () => {
      const { data } = (await admin("GET", `/webhooks/${failedId}?perPage=50`)) as Looked;
      return data.flatMap(({ lastAttempts }) => lastAttempts).find(({ error }) => error !== undefined)?.error;
    };
    expect(await until("a time limit", lateOf, 25_000)).toBe("no answer within 15 seconds");
  });
});
