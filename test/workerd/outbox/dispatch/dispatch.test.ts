import { describe, expect, it } from "vitest";
import { inDialect } from "../../../../src/outbox/dispatch/dialect.ts";
import type { Delivery } from "../../../../src/outbox/model/journal-types.ts";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ada = { email: "Ada@Example.com" };

describe("a webhook and its deliveries", () => {
  it("are delivered in order, each as the API wants it and with its own key", async () => {
    const { accept, deliveries, service } = await createBench();
    const both = { ...ada, userId: "u1" };
    const { id } = await accept({
      deliveries: [update(both, { plan: "pro", firstName: "Ada", seats: null }), event(both), mail(ada)],
    });
    const settled = await deliveries(id);
    expect(settled.map(({ state, result }) => [state, result])).toEqual([
      ["done", expect.stringMatching(/^id_/)],
      ["done", expect.stringMatching(/^id_/)],
      ["done", expect.stringMatching(/^id_/)],
    ]);
    const by = (path: string) => service.acted.find((request) => request.path === path);
    expect(by("/v1/contacts/update")).toMatchObject({
      method: "PUT",
      key: null,
      body: { email: "Ada@Example.com", userId: "u1", firstName: "Ada", properties: { plan: "pro", seats: null } },
    });
    expect(by("/v1/events/send")).toMatchObject({
      key: settled[1]?.key,
      body: { email: "Ada@Example.com", userId: "u1", eventName: "signedUp", eventProperties: { plan: "pro" } },
    });
    expect(by("/v1/transactional")).toMatchObject({
      key: settled[2]?.key,
      body: { email: "Ada@Example.com", transactionalId: "tpl_receipt", dataVariables: { amount: "$49.00" } },
    });
    expect(service.acted.map((request) => request.path)).toEqual([
      "/v1/transactional",
      "/v1/contacts/update",
      "/v1/events/send",
    ]);
  });

  it("write custom properties in the form that is configured for the email service", async () => {
    const properties = { plan: "pro", firstName: "Ada", seats: 3, gone: null };
    expect(inDialect(properties, "nested")).toEqual({
      firstName: "Ada",
      properties: { plan: "pro", seats: 3, gone: null },
    });
    expect(inDialect(properties, "flat")).toEqual(properties);
    expect(inDialect({ firstName: "Ada" }, "nested")).toEqual({ firstName: "Ada" });
    const { accept, deliveries, service } = await createBench((own) => ({
      env: { ...own.env, CONTACT_PROPERTIES: "flat" },
    }));
    await deliveries((await accept({ deliveries: [update(ada, properties)] })).id);
    expect(service.acted[0]?.body).toEqual({ ...ada, ...properties });
  });

  it("continue in a new invocation after 40 starts: the free plan allows 50 requests in each", async () => {
    const startsAtAlarm: number[] = [];
    const { accept, deliveries, service, waitFor } = await createBench(({ disk }) => ({
      disk: {
        ...disk,
        setAlarm: async (at: number | Date) => {
          if (Number(at) <= service.now()) startsAtAlarm.push(service.received.length);
          await disk.setAlarm(at);
        },
      },
    }));
    const { id } = await accept({
      deliveries: Array.from({ length: 45 }, (_, n) => mail({ email: `u${n}@example.com` })),
    });
    await waitFor(() => expect(startsAtAlarm).toHaveLength(1), 10_000);
    expect([39, 40]).toContain(startsAtAlarm[0]);
    await deliveries(id, undefined, 5_000);
    expect(service.received.length).toBe(45);
  }, 20_000);

  it("are accepted once, however often and fast the provider sends them", async () => {
    const { accept, deliveries, service, kept } = await createBench();
    const one = { eventId: "evt_same", deliveries: [mail(ada)] };
    const receipts = await Promise.all(Array.from({ length: 50 }, () => accept(one)));
    expect(receipts.filter((receipt) => !receipt.duplicate)).toHaveLength(1);
    expect(new Set(receipts.map((receipt) => receipt.id)).size).toBe(1);
    expect(receipts.every((receipt) => receipt.deliveries === 1)).toBe(true);
    await deliveries(receipts[0]?.id ?? "");
    expect(service.received).toHaveLength(1);
    expect(await kept()).toBe(1);
  });

  it("are distinguished by source: the same event id of another source is another webhook", async () => {
    const { accept } = await createBench();
    const receipts = [await accept({ eventId: "e", source: "a" }), await accept({ eventId: "e", source: "b" })];
    expect(receipts.map((receipt) => receipt.duplicate)).toEqual([false, false]);
  });

  it("with a digest as id are new again after 24 h", async () => {
    const { accept, service } = await createBench();
    const one = { eventId: "digest", digest: true };
    expect((await accept(one)).duplicate).toBe(false);
    service.offset = 86_395_000;
    expect((await accept(one)).duplicate).toBe(true);
    service.offset = 86_401_000;
    expect((await accept(one)).duplicate).toBe(false);
    expect((await accept(one)).duplicate).toBe(true);
  });

  it("survive a crash before the first attempt and during an attempt", async () => {
    const { accept, deliveries, crash, service, stub, waitFor } = await createBench();
    service.after = () => (service.received.length === 1 ? "hang" : undefined);
    const first = await accept({ deliveries: [mail(ada), update(ada, { plan: "pro" })] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    const second = await accept({ deliveries: [mail(ada)] });
    await crash();
    expect((await stub().status()).waiting).toBeGreaterThan(0);
    await accept();
    const [cutOff, other] = await deliveries(first.id);
    expect(cutOff).toMatchObject({
      state: "done",
      attempts: [{ message: expect.stringContaining("interrupted") }, { status: 409 }],
    });
    expect(other).toMatchObject({ state: "done" });
    expect(await deliveries(second.id)).toMatchObject([{ state: "done" }]);
    expect(service.acted).toHaveLength(3);
  });
});

describe("outcomes", () => {
  it("attempts that crashes interrupted do not delay the next attempt", async () => {
    const { accept, deliveries, crash, service, inside, waitFor } = await createBench();
    service.before = () => "hang";
    const { id } = await accept({ deliveries: [mail(ada)] });
    for (let n = 1; n <= 6; n++) {
      await waitFor(() => expect(service.received.length).toBeGreaterThanOrEqual(n), 5_000);
      await crash();
      await accept();
    }
    service.before = () => failure(500, "down");
    await inside((instance) => {
      const { deps } = instance.engine;
      deps.random = () => 0.99;
    });
    const learned = ([delivery]: Delivery[]) => delivery?.attempts.filter(({ status }) => status === 500) ?? [];
    const settled = await deliveries(id, (all) => learned(all).length > 0, 20_000);
    expect(learned(settled)[0]?.wait).toBeLessThan(2_000);
  }, 40_000);

  it("a 409 of a contact update is never done: the update is sent with the user id alone, and failed if that is refused", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () => failure(409, "They belong to different contacts", {}, "contact_conflict");
    const { id } = await accept({ deliveries: [update({ ...ada, userId: "u1" }, { plan: "pro" })] });
    expect(await deliveries(id)).toMatchObject([
      { state: "failed", message: "They belong to different contacts", attempts: [{ status: 409 }, { status: 409 }] },
    ]);
    expect(service.received.map(({ body }) => body)).toMatchObject([{ ...ada, userId: "u1" }, { userId: "u1" }]);
  });

  it("a 409 that says the key was used means an earlier attempt landed; any other 409 of an event is a refusal", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () => failure(409, "Request has already been processed.");
    expect(await deliveries((await accept({ deliveries: [event(ada)] })).id)).toMatchObject([{ state: "done" }]);
    service.before = () => failure(409, "email and userId belong to different contacts", {}, "contact_conflict");
    expect(await deliveries((await accept({ deliveries: [event(ada)] })).id)).toMatchObject([{ state: "failed" }]);
    expect(service.acted).toHaveLength(0);
  });

  it("500 before and after the email service acts is retried with one key and acted on once", async () => {
    const { accept, deliveries, service } = await createBench();
    const attemptCount = new Map<string, number>();
    const first = (request: { key: string | null }) => {
      const count = (attemptCount.get(request.key ?? "") ?? 0) + 1;
      attemptCount.set(request.key ?? "", count);
      return count === 1;
    };
    service.before = (request) =>
      request.path === "/v1/events/send" && first(request) ? failure(500, "before") : undefined;
    service.after = (request) => (request.path === "/v1/transactional" ? failure(502, "after") : undefined);
    const { id } = await accept({ deliveries: [event(ada), mail(ada)] });
    const settled = await deliveries(id);
    expect(settled.map((delivery) => [delivery.state, delivery.attempts.length])).toEqual([
      ["done", 2],
      ["done", 2],
    ]);
    expect(settled[0]?.attempts[0]).toMatchObject({ status: 500, message: "before", wait: 0 });
    expect(service.acted.map((request) => request.key).sort()).toEqual(settled.map((delivery) => delivery.key).sort());
  });

  it("a 429 stops all deliveries for Retry-After and counts as no attempt", async () => {
    const { accept, deliveries, service, stub, waitFor } = await createBench();
    service.before = () =>
      service.received.length === 1 ? failure(429, "slow down", { "Retry-After": "1" }) : undefined;
    const { id } = await accept({ deliveries: [mail(ada)] });
    await deliveries(id, () => service.received.length === 1);
    const other = await accept({ deliveries: [mail({ email: "bob@example.com" })] });
    await waitFor(async () =>
      expect(await stub().status()).toMatchObject({ interruption: { reason: "backoff", message: "slow down" } }),
    );
    const [[one], [two]] = await Promise.all([deliveries(id), deliveries(other.id)]);
    expect([one?.attempts.length, two?.attempts.length]).toEqual([1, 1]);
    const [refused, ...later] = service.received;
    expect(later.every((request) => request.at - (refused?.at ?? 0) >= 1_000)).toBe(true);
  });

  it("a refused API key blocks delivery, uses up no attempt, and everything leaves once the key is accepted", async () => {
    const { accept, deliveries, crash, service, pass, stub, waitFor } = await createBench();
    service.before = () => failure(401, "Invalid API key");
    const { id } = await accept({ deliveries: [mail(ada)] });
    await waitFor(async () =>
      expect(await stub().status()).toMatchObject({ waiting: 1, interruption: { reason: "blocked" } }),
    );
    const [held] = await deliveries(id, ([delivery]) => delivery?.state === "waiting");
    expect(held).toMatchObject({ attempts: [], message: "Invalid API key" });
    await pass(300);
    expect(service.received).toHaveLength(1);
    await crash(() => {
      service.before = () => undefined;
    });
    await accept();
    expect(await deliveries(id)).toMatchObject([{ state: "done", attempts: [{ status: 200 }] }]);
    expect((await stub().status()).interruption).toBeNull();
  });

  it("any other refusal has failed at once, with the email service's message", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () => failure(400, "Missing required data variable(s): amount");
    expect(await deliveries((await accept({ deliveries: [mail(ada)] })).id)).toMatchObject([
      { state: "failed", message: "Missing required data variable(s): amount", attempts: [{ status: 400 }] },
    ]);
  });

  it("a redirect is not an answer of the API: the delivery is retried", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () =>
      service.received.length <= 1
        ? new Response(null, { status: 301, headers: { Location: "https://host.test/" } })
        : undefined;
    const { id } = await accept({ deliveries: [mail(ada)] });
    expect(await deliveries(id)).toMatchObject([
      {
        state: "done",
        attempts: [{ status: 301, message: expect.stringContaining("EMAIL_API_URL") }, { status: 200 }],
      },
    ]);
  });

  it("a 409 for a key whose first attempt is still in progress is retried", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () =>
      service.received.length === 1
        ? failure(409, "A request with this idempotency key is still in progress.")
        : undefined;
    const { id } = await accept({ deliveries: [mail(ada)] });
    expect(await deliveries(id)).toMatchObject([{ state: "done", attempts: [{ status: 409 }, { status: 200 }] }]);
    expect(service.acted).toHaveLength(1);
  });

  it("a template without a transactionalId has failed without a request, and says what to set", async () => {
    const { accept, deliveries, service } = await createBench();
    const [delivery] = await deliveries((await accept({ deliveries: [mail(ada, { template: "nope" })] })).id);
    expect(delivery).toMatchObject({ state: "failed", message: expect.stringContaining('"nope"') });
    expect(service.received).toHaveLength(0);
  });

  it("mail with a short life is not sent late", async () => {
    const { accept, deliveries, service } = await createBench();
    const late = mail(ada, { urgent: true, expiresAt: service.now() - 1 });
    expect(await deliveries((await accept({ deliveries: [late] })).id)).toMatchObject([
      { state: "failed", message: expect.stringContaining("expired") },
    ]);
    expect(service.received).toHaveLength(0);
  });

  it("a mail that is not urgent is skipped when it is too old, and sent when it is not", async () => {
    const { accept, deliveries, service } = await createBench();
    const old = mail(ada, { notAfter: service.now() });
    expect(await deliveries((await accept({ deliveries: [old] })).id)).toMatchObject([
      { state: "skipped", message: expect.stringMatching(/^too old: the webhook is of \d{4}-\d\d-\d\d\..*send-again/) },
    ]);
    expect(service.received).toHaveLength(0);
    const { id } = await accept({ deliveries: [mail(ada, { notAfter: service.now() + 60_000 })] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
  });

  it("an event that is too old is skipped, and the contact update of its webhook is made", async () => {
    const { accept, deliveries, service } = await createBench();
    const old = { ...event(ada, "paymentFailed"), notAfter: service.now() };
    const { id } = await accept({ deliveries: [update(ada, { plan: "pro" }), old] });
    expect(await deliveries(id)).toMatchObject([
      { state: "done" },
      {
        state: "skipped",
        message: expect.stringMatching(/^too old: .* To send the event all the same, use send-again/),
      },
    ]);
    expect(service.received).toMatchObject([{ path: "/v1/contacts/update" }]);
  });

  it("a delivery whose outcome is still unknown after 23 h is undecided, and never sent with a key the email service has dropped", async () => {
    const { accept, deliveries, crash, service } = await createBench();
    service.before = () => failure(500, "down");
    const { id } = await accept({ deliveries: [mail(ada)] });
    await deliveries(id, ([delivery]) => (delivery?.attempts.length ?? 0) >= 1);
    await crash(() => {
      service.offset = 23 * 3_600_000 + 60_000;
    });
    const before = service.received.length;
    await accept();
    expect(await deliveries(id)).toMatchObject([{ state: "undecided" }]);
    expect(service.received.length).toBe(before);
  });
});

describe("one-time secrets", () => {
  it("are erased as an object, a list or a number, and their texts wherever they occur", async () => {
    const { accept, deliveries, webhook } = await createBench();
    const body = {
      customer: { address: { line1: "12 Long Street", country: "DE" }, phones: ["+49 30 1234567"], age: 41 },
      note: "lives at 12 Long Street, DE",
    };
    const { id } = await accept({
      raw: JSON.stringify(body),
      secretPaths: ["customer.address", "customer.phones", "customer.age", "customer.nothing.here"],
      deliveries: [mail(ada, { amount: "to 12 Long Street" })],
    });
    await deliveries(id);
    const kept = await webhook(id);
    expect(JSON.parse(kept.body)).toEqual({
      customer: { address: "[erased]", phones: "[erased]", age: "[erased]" },
      note: "lives at [erased], DE",
    });
    expect(kept.deliveries).toMatchObject([{ state: "done", dataVariables: { amount: "to [erased]" } }]);
  });

  it("are not stored where no delivery needs them", async () => {
    const { accept, webhook } = await createBench();
    const { id } = await accept({ raw: '{"email_data":{"token":"305805"}}', secretPaths: ["email_data.token"] });
    expect((await webhook(id)).body).toBe('{"email_data":{"token":"[erased]"}}');
  });

  it("are kept until the deliveries have settled, then erased from body and deliveries", async () => {
    const { accept, deliveries, service, waitFor, webhook } = await createBench();
    const token = "pkce/abc=123";
    let answers = false;
    service.before = async () => {
      while (!answers) await service.sleep(5);
      return undefined;
    };
    const { id } = await accept({
      raw: JSON.stringify({ email_data: { token_hash: token, site_url: "https://x.test" } }),
      secretPaths: ["email_data.token_hash", "email_data.token"],
      deliveries: [mail(ada, { amount: `https://x.test/verify?token=${encodeURIComponent(token)}` })],
    });
    await waitFor(() => expect(service.received).toHaveLength(1));
    expect((await webhook(id)).body).toContain(token);
    answers = true;
    await deliveries(id);
    const kept = await webhook(id);
    expect(JSON.parse(kept.body)).toEqual({ email_data: { token_hash: "[erased]", site_url: "https://x.test" } });
    expect(kept.deliveries).toMatchObject([
      { state: "done", dataVariables: { amount: "https://x.test/verify?token=[erased]" } },
    ]);
    expect(JSON.stringify(service.acted)).toContain(encodeURIComponent(token));
  });
});
