import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import ruleSet from "../../../src/mappings/better-auth.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import { requestOf, verify } from "../signed.ts";
import { describeAccounts } from "./accounts.ts";
import { mailspan, send, sendUser } from "./better-auth-sender.ts";
import { eventsOf, NOW, recorded } from "./recorded.ts";

const { event, eventNames, planFor, propertiesOf } = recorded(ruleSet);
const ADA = { email: "ada@example.com", userId: "k9Vq2LxT7ZbR4mNcYwHs0PdFgJ6aE1uQ" };

describeAccounts(ruleSet, {
  unverified: {
    "user.created.unverified": { email: "victim@example.com" },
    "user.updated.unverified": undefined,
    "user.verified.unverified": undefined,
  },
  verified: ["user.created", "user.updated", "user.verified"],
  changes: [["email confirmed", "emailConfirmed", ["user.verified"]]],
  deleted: {
    "user.deleted": ADA,
    "user.deleted.unverified": { userId: "m3Xw8RfB5TyK1pQdLzJv7ChNsG2eU9oA" },
  },
});

test("orders events with equal times", () => {
  const types = ["user.created", "user.updated", "user.deleted"];
  const subscriptions = types.map((type) => type.replace("user", "subscription"));
  for (const list of [
    types,
    subscriptions,
    ["subscription.updated", "subscription.canceled", "subscription.deleted"],
  ]) {
    const ranks = list.map((type) => ruleSet.handler.rank?.(type) ?? 0);
    expect(ranks).toEqual([...new Set(ranks)].sort());
  }
  expect(ruleSet.handler.rank?.("session.created")).toBe(0);
});

test("a subscription of the Stripe plugin belongs to the user id, and waits for the user's address", async () => {
  const { deliveries, links } = await planFor("subscription.created");
  expect(deliveries).toMatchObject([
    { contact: { userId: ADA.userId }, waitsForTie: true, subscription: { standing: 50 } },
    { contact: { userId: ADA.userId }, eventName: "subscriptionStarted" },
  ]);
  expect(links).toEqual([]);
  expect(await eventNames("subscription.created.incomplete")).toEqual([]);
  expect(await eventNames("subscription.deleted")).toEqual(["subscriptionCanceled"]);
});

test("a cancellation is at the end of the period or on a date of its own", async () => {
  expect(await propertiesOf("subscription.canceled")).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await event("subscription.canceled")).toMatchObject({ endsAt: "2025-12-12T12:00:00.000Z" });
  expect(await propertiesOf("subscription.canceled.by-date")).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await event("subscription.canceled.by-date")).toMatchObject({ endsAt: "2025-12-24T12:00:00.000Z" });
});

test("test data is marked by the sender", async () => {
  expect((await planFor("user.created.test")).webhook.test).toBe(true);
  expect((await planFor("user.created")).webhook.test).toBe(false);
});

test("docs/better-auth.md has the plugin of this test, word for word", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  expect(read("../../../docs/better-auth.md")).toContain(read("better-auth-sender.ts"));
});

describe("Better Auth itself, with the plugin of the documentation", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  let received: { headers: Headers; raw: string }[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    let raw = "";
    request.on("data", (chunk) => {
      raw += chunk;
    });
    request.on("end", () => {
      received.push({ headers: new Headers(request.headers as Record<string, string>), raw });
      response.writeHead(status).end();
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve())));
  afterAll(() => server.close());
  const to = () => ({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, secret });

  const planned = async ({ headers, raw }: { headers: Headers; raw: string }) => {
    const { handler } = ruleSet;
    expect(await verify(handler.scheme, { headers, raw }, [secret], Date.now())).toBe(undefined);
    const webhook = await handler.read(requestOf({ headers, raw }), JSON.parse(raw), NOW);
    return { webhook, ...plan(ruleSet, { ...webhook, source: "better-auth" }) };
  };

  test("sign-up, confirmation, change of name and deletion arrive, signed and in order", async () => {
    received = [];
    const auth = betterAuth({
      baseURL: "http://localhost:3000",
      secret: "a secret of at least thirty-two characters",
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      emailAndPassword: { enabled: true },
      user: { deleteUser: { enabled: true } },
      emailVerification: { afterEmailVerification: (user) => sendUser("user.verified", { ...user }, to()) },
      plugins: [mailspan(to())],
    });
    const body = { email: "ada@example.com", password: "correct horse battery", name: "Ada Lovelace" };
    const { headers: answered, response } = await auth.api.signUpEmail({ body, returnHeaders: true });
    const headers = new Headers({ cookie: (answered.get("set-cookie") ?? "").split(";")[0] ?? "" });
    const context = await auth.$context;
    await context.internalAdapter.updateUser(response.user.id, { emailVerified: true });
    await auth.api.updateUser({ body: { name: "Ada King" }, headers });
    await auth.api.deleteUser({ body: { password: body.password }, headers });

    const all = await Promise.all(received.map(planned));
    expect(all.map(({ webhook }) => webhook.type)).toEqual([
      "user.created",
      "user.updated",
      "user.updated",
      "user.deleted",
    ]);
    expect(new Set(all.map(({ webhook }) => webhook.id)).size).toBe(4);
    expect(all.flatMap(({ deliveries }) => eventsOf(deliveries))).toEqual([
      { name: "signedUp", emailVerified: false },
      { name: "accountDeleted" },
    ]);
    expect(all[0]?.deliveries[0]?.contact).toEqual({ email: "ada@example.com" });
    const person = { email: "ada@example.com", userId: response.user.id };
    expect(all.slice(1).map(({ deliveries }) => deliveries[0])).toMatchObject([
      { contact: person, properties: { firstName: "Ada", lastName: "Lovelace" } },
      { contact: person, properties: { firstName: "Ada", lastName: "King" } },
      { contact: person, properties: { subscribed: false } },
    ]);
  });

  test("a refused webhook comes again with the same id; an anonymous user is not sent", async () => {
    received = [];
    status = 503;
    const sent = send("user.created", { id: "u1" }, to());
    await expect.poll(() => received.length).toBe(1);
    status = 202;
    await sent;
    expect(new Set(received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(received).toHaveLength(2);
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const anonymous = { id: "u2", email: "temp@u2.com", emailVerified: false, name: "", isAnonymous: true, ...times };
    await sendUser("user.created", anonymous, to());
    expect(received).toHaveLength(2);
  });
});
