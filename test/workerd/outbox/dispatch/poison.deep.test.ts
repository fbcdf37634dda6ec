import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { failure } from "../service.ts";
import { accepted, createBench, event, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
const bob = { email: "bob@example.com" };

const tamper = (stub: DurableObjectStub, sql: string, ...values: (string | number)[]) =>
  runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(sql, ...values));

describe("one bad delivery never stops the others", () => {
  it("after a 429 about one delivery the others go first", async () => {
    const { accept, deliveries, service, waitFor } = await createBench();
    service.before = ({ body }) =>
      body.email === ada.email ? failure(429, "one a minute", { "Retry-After": "1" }) : undefined;
    await accept({ deliveries: [mail(ada)] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    expect(await deliveries((await accept({ deliveries: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
  });

  it("a row that cannot be claimed is retried after growing waits, without a busy loop", async () => {
    const { accept, deliveries, clock, service, pass, stub } = await createBench();
    service.before = () => failure(500, "first");
    const { id } = await accept({ deliveries: [update(ada, { plan: "pro" })] });
    await deliveries(id, ([delivery]) => (delivery?.attempts.length ?? 0) > 0);
    await tamper(stub(), "UPDATE webhooks SET deliveries = '[{' WHERE open = 1");
    service.before = () => undefined;
    const before = clock.alarms.length;
    expect(await deliveries((await accept({ deliveries: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
    await pass(1_000);
    expect(clock.alarms.length - before).toBeLessThan(5);
    await tamper(stub(), "DELETE FROM webhooks WHERE deliveries = '[{'");
  });

  it("a delivery whose outcome cannot be written is not sent again at once", async () => {
    const { accept, deliveries, service, pass, stub, waitFor } = await createBench();
    let answers = false;
    service.before = async () => {
      while (!answers) await service.sleep(5);
      return undefined;
    };
    await accept({ deliveries: [update(ada, { plan: "pro" })] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    await tamper(stub(), "ALTER TABLE contacts RENAME TO gone");
    answers = true;
    await pass(1_500);
    expect(service.received).toHaveLength(1);
    await tamper(stub(), "ALTER TABLE gone RENAME TO contacts");
    expect(await deliveries((await accept({ deliveries: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
  });

  it("thousands of expired mails settle without a request, and a webhook that arrives meanwhile is accepted", async () => {
    const { accept, deliveries, during, service } = await createBench();
    const expired = Array.from({ length: 500 }, () => mail(ada, { urgent: true, expiresAt: 1 }));
    const ids = [];
    for (let n = 0; n < 4; n++)
      ids.push(
        (await accept({ deliveries: expired.map((delivery) => ({ ...delivery, key: crypto.randomUUID() })) })).id,
      );
    const eventId = "evt_meanwhile";
    const left = await during(async (outbox) => {
      const { items } = outbox.engine.dispatcher.queue;
      while (items.size === 2_000) await new Promise((resolve) => setTimeout(resolve, 0));
      await outbox.engine.accept([accepted({ eventId, deliveries: [mail(bob)] })]);
      return items.size;
    });
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(2_000);
    for (const id of ids)
      expect(new Set((await deliveries(id)).map(({ state }) => state))).toEqual(new Set(["failed"]));
    const { id, duplicate } = await accept({ eventId });
    expect(duplicate).toBe(true);
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(service.received).toHaveLength(1);
  }, 60_000);
});

describe("hostile bodies", () => {
  const deep = (n: number) =>
    `{"email_data":{"token":"tok-305805"},"user":{"user_metadata":{"a":${"[".repeat(n)}${"]".repeat(n)}}}}`;
  const secretPaths = ["email_data.token"];

  it.each([
    ["a delivery that is settled without a request", [mail(ada, { urgent: true, expiresAt: 1 })], "failed"],
    ["a delivery that is sent", [mail(ada, { amount: "tok-305805" })], "done"],
  ] as const)("nested 20 000 deep, with %s: settles, and its token is erased", async (_, list, state) => {
    const { accept, deliveries, webhook } = await createBench();
    const { id } = await accept({
      raw: deep(20_000),
      secretPaths,
      deliveries: list.map((delivery) => ({ ...delivery, key: crypto.randomUUID() })),
    });
    expect(await deliveries(id)).toMatchObject([{ state }]);
    const { body } = await webhook(id);
    expect(body).toContain('"token":"[erased]"');
    expect(body).toContain("[".repeat(20_000));
  });

  it("nested 20 000 deep, with no delivery: is journaled without its token", async () => {
    const { accept, webhook } = await createBench();
    const { id } = await accept({ raw: deep(20_000), secretPaths });
    expect((await webhook(id)).body).toContain("[erased]");
  });

  it("with half a surrogate pair as token, a token of a megabyte, or many escapes: the token is erased", async () => {
    const { accept, deliveries, webhook } = await createBench();
    for (const token of ["\\ud800", "x".repeat(900_000), '\\"\\\\'.repeat(100_000)]) {
      const { id } = await accept({
        raw: `{"email_data":{"token":"${token}"}}`,
        secretPaths,
        deliveries: [mail(ada)].map((delivery) => ({ ...delivery, key: crypto.randomUUID() })),
      });
      expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
      expect((await webhook(id)).body).toBe('{"email_data":{"token":"[erased]"}}');
    }
  });

  it("a long message of the email service is cut to 500 characters", async () => {
    const { accept, deliveries, service, read } = await createBench();
    let attemptCount = 0;
    service.before = () => (attemptCount++ < 3 ? failure(500, "x".repeat(900_000)) : undefined);
    const { id } = await accept({ deliveries: [mail(ada)] });
    const [delivery] = await deliveries(id);
    expect(delivery?.attempts.map(({ message }) => message?.length)).toEqual([500, 500, 500, undefined]);
    expect(JSON.stringify(await read(id)).length).toBeLessThan(4_000);
  });
});

describe("Retry-After", () => {
  it.each(["99999999999999", "31536000"])(
    "is believed for a quarter of an hour at most: Retry-After: %s",
    async (seconds) => {
      const { accept, deliveries, service, stub, waitFor } = await createBench();
      service.before = () =>
        service.received.length === 1 ? failure(429, "later", { "Retry-After": seconds }) : undefined;
      const { id } = await accept({ deliveries: [mail(ada)] });
      await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "backoff" } }));
      service.offset += 901_000;
      await accept();
      expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    },
  );

  it("of 0 or none makes each wait longer than the one before", async () => {
    const { accept, service, pass } = await createBench();
    service.before = () => failure(429, "no", service.received.length % 2 ? { "Retry-After": "0" } : {});
    await accept({ deliveries: [mail(ada)] });
    await pass(3_600);
    expect(service.received.length).toBeGreaterThanOrEqual(2);
    expect(service.received.length).toBeLessThanOrEqual(3);
  });
});

describe("an answer that does not come from the API", () => {
  it("is no success as a 2xx with a web page", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = () => (service.received.length === 1 ? new Response("<html>welcome</html>") : undefined);
    const [delivery] = await deliveries((await accept({ deliveries: [mail(ada)] })).id);
    expect(delivery).toMatchObject({
      state: "done",
      attempts: [{ message: expect.stringContaining("EMAIL_API_URL") }, { status: 200 }],
    });
    expect(service.acted).toHaveLength(1);
  });

  it("does not end a block as a 503 of a proxy", async () => {
    const { accept, service, stub, waitFor } = await createBench();
    service.before = () => failure(401, "Invalid API key");
    await accept({ deliveries: [mail(ada), event(bob)] });
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }));
    const checks = service.keyChecks.length;
    service.before = () => failure(503, "gateway");
    service.offset += 21_000;
    await accept();
    await waitFor(() => expect(service.keyChecks.length).toBeGreaterThan(checks), 5_000);
    await waitFor(async () =>
      expect(await stub().status()).toMatchObject({
        interruption: { reason: "blocked", probes: 1, message: "Invalid API key" },
      }),
    );
  }, 15_000);
});
