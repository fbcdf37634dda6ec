import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Notifier } from "../../../../../src/email/objects/notifier.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { addWebhook, delivered, ENDPOINT, look, receive } from "./receiver.ts";

isolated();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let team: Team;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line) => logged.push(JSON.parse(line)));
  team = await createTeam();
});

const contact = (email: string) => team.post("/contacts/create", { email });
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response("why", { status: code, headers });
const pass = async (ms: number, step: number) => {
  for (let at = 0; at < ms; at += step) {
    advance(step);
    await delivered(team, () => runAlarm(team.stub));
  }
};

describe("a notification", () => {
  it("has the headers of Standard Webhooks, which the vendor's package verifies", async () => {
    const { received, spy } = receive();
    const { secret, id } = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    const [first] = received;
    expect(received).toHaveLength(1);
    expect(first?.url).toBe(ENDPOINT);
    expect(spy.mock.calls[0]?.[1]).toMatchObject({ method: "POST", redirect: "manual" });
    expect(first?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": expect.stringMatching(/^evt_[0-9a-z]+_[0-9a-f]{16}$/),
      "webhook-timestamp": `${Math.floor(Date.now() / 1000)}`,
    });
    expect(new Webhook(secret).verify(first?.text ?? "", first?.headers ?? {})).toEqual(first?.body);
    expect(() => new Webhook(secret).verify(`${first?.text} `, first?.headers ?? {})).toThrow();
    expect((await look(team, { id })).data).toMatchObject([
      { eventId: first?.headers["webhook-id"], type: "contact.created", state: "delivered", attempts: 1 },
    ]);
  });

  it("is signed with both secrets for a day after a rotation, then with the new one", async () => {
    const { received } = receive();
    const { id, secret: old } = await addWebhook(team);
    const rotated = await team.admin("POST", `/webhooks/${id}`, { rotateSecret: true });
    const fresh = rotated.json.secret;
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(fresh).not.toBe(old);
    expect(rotated.json.previousSecretUntil).toBe(new Date(Date.now() + DAY).toISOString());
    await contact("a@example.com");
    await delivered(team);
    for (const secret of [old, fresh]) new Webhook(secret).verify(received[0]?.text ?? "", received[0]?.headers ?? {});
    advance(DAY);
    await contact("b@example.com");
    await delivered(team);
    new Webhook(fresh).verify(received[1]?.text ?? "", received[1]?.headers ?? {});
    expect(received[1]?.headers["webhook-signature"]).not.toContain(" ");
    expect(() => new Webhook(old).verify(received[1]?.text ?? "", received[1]?.headers ?? {})).toThrow();
  });

  it.each([301, 302, 307, 400, 401, 404, 500, 502])(
    "that is answered with %i is retried with the same id",
    async (code) => {
      const { received, state } = receive(status(code, { Location: "https://app.example.com/other" }));
      const webhook = await addWebhook(team);
      await contact("ada@example.com");
      await delivered(team);
      expect(received).toHaveLength(1);
      const { data, webhook: shown } = await look(team, webhook);
      expect(data).toMatchObject([
        {
          state: "waiting",
          attempts: 1,
          lastAttempts: [{ at: expect.stringMatching(/^2090-01-01T12:00:00/), status: code, response: "why" }],
        },
      ]);
      expect(shown).toMatchObject({
        waiting: 1,
        failingSince: expect.stringMatching(/^2090-01-01T12:00:00/),
        enabled: true,
      });
      expect(logged).toContainEqual(
        expect.objectContaining({
          event: "webhook_attempt_failed",
          eventId: data[0].eventId,
          webhook: webhook.id,
          attempt: 1,
          status: code,
        }),
      );
      state.answer = () => new Response("ok");
      await pass(10_000, 5_000);
      expect(received).toHaveLength(2);
      expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
      expect((await look(team, webhook)).webhook).toMatchObject({ waiting: 0, failingSince: null });
    },
  );

  it("without an answer is retried, and says why", async () => {
    receive(() => Promise.reject(new Error("connection refused")));
    const webhook = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    expect((await look(team, webhook)).data).toMatchObject([
      { state: "waiting", attempts: 1, lastAttempts: [{ error: "connection refused" }] },
    ]);
  });

  it("keeps 300 bytes of the answer, and reads no more", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode("x".repeat(100)));
      },
    });
    receive(() => new Response(endless));
    const webhook = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    const [{ lastAttempts }] = (await look(team, webhook)).data;
    expect(lastAttempts).toMatchObject([{ status: 200, response: "x".repeat(300) }]);
    expect(pulled).toBeLessThan(10);
  });

  it("waits for Retry-After, at most an hour", async () => {
    const { received, state } = receive(status(429, { "Retry-After": "600" }));
    const webhook = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    const waits = async () => Date.parse((await look(team, webhook)).data[0].nextAttemptAt) - Date.now();
    expect(await waits()).toBeLessThanOrEqual(600_000);
    expect(await waits()).toBeGreaterThan(599_000);
    await contact("bo@example.com");
    await pass(590_000, 118_000);
    expect(received).toHaveLength(1);
    state.answer = status(503, { "Retry-After": "999999" });
    await pass(20_000, 10_000);
    expect(await waits()).toBeLessThanOrEqual(HOUR);
    expect(await waits()).toBeGreaterThan(HOUR - 30_000);
    state.answer = () => new Response("ok");
    await pass(HOUR, HOUR / 4);
    expect((await look(team, webhook)).webhook.waiting).toBe(0);
  });

  it("is retried for three days, then the endpoint is disabled with a notice, and nothing is lost", async () => {
    const { received, state } = receive(status(500));
    const webhook = await addWebhook(team);
    await contact("ada@example.com");
    await pass(2.9 * DAY, 0.1 * DAY);
    const failing = (await look(team, webhook)).webhook;
    expect(failing).toMatchObject({ enabled: true, waiting: 1 });
    const end = new Date(Date.parse(failing.failingSince) + 3 * DAY).toISOString();
    expect(failing.notice).toBe(
      `No event was delivered since ${failing.failingSince}. If this goes on, the webhook is disabled at ${end}.`,
    );
    expect(received.length).toBeGreaterThan(12);
    await contact("bo@example.com");
    await pass(0.5 * DAY, 0.1 * DAY);
    const { webhook: shown, data } = await look(team, webhook);
    expect(shown).toMatchObject({ enabled: false, disabledReason: "failing", waiting: 1 });
    expect(shown.notice).toBe(
      `Disabled at ${shown.disabledAt}: no event was delivered since ${shown.failingSince}. Events that wait are kept. Repair the endpoint, then set enabled: true.`,
    );
    expect(data).toMatchObject([{ state: "waiting" }, { state: "failed", nextAttemptAt: null }]);
    expect(data[1].lastAttempts.length).toBeLessThanOrEqual(20);
    expect(logged).toContainEqual({ event: "webhook_disabled", team: "acme", webhook: webhook.id, reason: "failing" });
    const before = received.length;
    await pass(DAY, DAY);
    expect(received).toHaveLength(before);

    state.answer = () => new Response("ok");
    const enabled = await team.admin("POST", `/webhooks/${webhook.id}`, { enabled: true });
    expect(enabled.json).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null });
    await delivered(team);
    expect((await team.admin("POST", `/webhooks/${webhook.id}/replay`, { failed: true })).json.events).toBe(1);
    await delivered(team);
    expect((await look(team, webhook)).data).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
  });

  it("answered with 410 disables the endpoint at once", async () => {
    const { received } = receive(status(410));
    const webhook = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    await contact("bo@example.com");
    await pass(DAY, DAY);
    expect(received).toHaveLength(1);
    const shown = (await look(team, webhook)).webhook;
    expect(shown).toMatchObject({ enabled: false, disabledReason: "gone", waiting: 1 });
    expect(shown.notice).toMatch(/^Disabled at \S+: the endpoint answered 410\. /);
    expect(logged).toContainEqual({ event: "webhook_disabled", team: "acme", webhook: webhook.id, reason: "gone" });
  });
});

describe("an endpoint that fails", () => {
  it("gets one event at a time, and all that waits when it works again", async () => {
    const { received, state } = receive(status(500));
    const webhook = await addWebhook(team);
    await team.inside(() => {});
    for (let n = 0; n < 30; n++) await contact(`c${n}@example.com`);
    await delivered(team, () => runAlarm(team.stub));
    const before = received.length;
    expect(before).toBeLessThan(12);
    await pass(HOUR, 300_000);
    expect(received.length - before).toBeLessThanOrEqual(13);
    state.answer = () => new Response("ok");
    await pass(6 * HOUR, HOUR);
    expect((await look(team, webhook)).webhook).toMatchObject({ waiting: 0, failingSince: null });
    expect(new Set(received.map(({ body }) => JSON.stringify(body.contactIdentity))).size).toBe(30);
  });

  it("slows no other endpoint and no request of the API", async () => {
    let release = () => {};
    const dead = new Promise<Response>((resolve) => {
      release = () => resolve(new Response(null, { status: 500 }));
    });
    const { received } = receive(({ url }) => (url.includes("dead") ? dead : new Response("ok")));
    await addWebhook(team, { url: "https://dead.example.com/" });
    await addWebhook(team);
    const start = performance.now();
    for (let n = 0; n < 50; n++) expect((await contact(`c${n}@example.com`)).status).toBe(200);
    const alive = () => received.filter(({ url }) => url === ENDPOINT);
    await vi.waitFor(() => expect(alive()).toHaveLength(50), 10_000);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(received.filter(({ url }) => url.includes("dead")).length).toBeLessThanOrEqual(4);
    release();
    await delivered(team);
  });
});

describe("a fault", () => {
  it("of the Notifier is logged, and the events are delivered after a pause", async () => {
    const { received } = receive();
    const webhook = await addWebhook(team);
    const spy = vi.spyOn(Notifier.prototype, "deliver").mockRejectedValue(new Error("reset"));
    await contact("ada@example.com");
    await vi.waitFor(() =>
      expect(logged).toContainEqual({ event: "notifier_lost", webhook: webhook.id, error: "reset" }),
    );
    spy.mockRestore();
    expect(received).toHaveLength(0);
    advance(10_000);
    await runAlarm(team.stub);
    await delivered(team);
    expect(received).toHaveLength(1);
  });
});
