import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/lib/webhook/outgoing-events.ts";
import { type Mailspan, secrets, startMailspan, until } from "./mailspan.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan({}, { WEBHOOKS_ALLOW_PRIVATE: "1" });
});
afterAll(() => mailspan?.stop());

type Got = { headers: IncomingHttpHeaders; text: string; at: number };
const servers: Server[] = [];
const added: string[] = [];

/** A real HTTP server that keeps what it gets. */
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
      ...["contact.created", "contact.deleted", "contact.mailingList.subscribed", "contact.mailingList.unsubscribed"],
      ...["contact.unsubscribed", "testing.testEvent", "transactional.email.sent"],
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

  it("to a dead endpoint slow neither another one nor the API, and time out after 15 seconds", async () => {
    const dead = await listen(() => {});
    const alive = await listen(ok);
    const { id } = await add(dead.url);
    await add(alive.url);
    const times: number[] = [];
    for (let n = 0; n < 20; n++) {
      const { status, ms } = await v1("POST", "/contacts/create", { email: `dead${n}-${Date.now()}@example.com` });
      expect(status).toBe(200);
      times.push(ms);
    }
    await until("all events at the other one", async () => (alive.got.length === 20 ? true : undefined), 5_000);
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(500);
    expect(dead.state.most).toBeLessThanOrEqual(4);
    await until(
      "a time limit",
      async () => {
        const { data } = (await admin("GET", `/webhooks/${id}`)) as { data: { lastAttempts: object[] }[] };
        const errors = data.flatMap(({ lastAttempts }) => lastAttempts);
        return errors.some((one) => "error" in one && one.error === "no answer within 15 seconds") ? true : undefined;
      },
      25_000,
    );
  });
});
