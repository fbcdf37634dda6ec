import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { failure } from "../host.ts";
import { accepted, createBench, event, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
const bob = { email: "bob@example.com" };

const tamper = (stub: DurableObjectStub, sql: string, ...values: (string | number)[]) =>
  runInDurableObject(stub, (_, { storage }) => void storage.sql.exec(sql, ...values));

describe("one bad call never stops the others", () => {
  it("after a 429 about one call the others go first", async () => {
    const { accept, calls, host, waitFor } = await createBench();
    host.before = ({ body }) =>
      body.email === ada.email ? failure(429, "one a minute", { "Retry-After": "1" }) : undefined;
    await accept({ calls: [mail(ada)] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    expect(await calls((await accept({ calls: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
  });

  it("a row that cannot be claimed is retried after growing waits, without a busy loop", async () => {
    const { accept, calls, clock, host, pass, stub } = await createBench();
    host.before = () => failure(500, "first");
    const { id } = await accept({ calls: [update(ada, { plan: "pro" })] });
    await calls(id, ([call]) => (call?.attempts.length ?? 0) > 0);
    await tamper(stub(), "UPDATE webhooks SET calls = '[{' WHERE open = 1");
    host.before = () => undefined;
    const before = clock.alarms.length;
    expect(await calls((await accept({ calls: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
    await pass(1_000);
    expect(clock.alarms.length - before).toBeLessThan(5);
    await tamper(stub(), "DELETE FROM webhooks WHERE calls = '[{'");
  });

  it("a call whose outcome cannot be written is not sent again at once", async () => {
    const { accept, calls, host, pass, stub, waitFor } = await createBench();
    let answers = false;
    host.before = async () => {
      while (!answers) await host.sleep(5);
      return undefined;
    };
    await accept({ calls: [update(ada, { plan: "pro" })] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    await tamper(stub(), "ALTER TABLE contacts RENAME TO gone");
    answers = true;
    await pass(1_500);
    expect(host.received).toHaveLength(1);
    await tamper(stub(), "ALTER TABLE gone RENAME TO contacts");
    expect(await calls((await accept({ calls: [mail(bob)] })).id)).toMatchObject([{ state: "done" }]);
  });

  it("thousands of expired mails settle without a request, and a webhook that arrives meanwhile is accepted", async () => {
    const { accept, calls, during, host } = await createBench();
    const expired = Array.from({ length: 500 }, () => mail(ada, { urgent: true, expiresAt: 1 }));
    const ids = [];
    for (let n = 0; n < 4; n++)
      ids.push((await accept({ calls: expired.map((call) => ({ ...call, key: crypto.randomUUID() })) })).id);
    const eventId = "evt_meanwhile";
    const left = await during(async (outbox) => {
      const { items } = outbox.engine.dispatcher.queue;
      while (items.size === 2_000) await new Promise((resolve) => setTimeout(resolve, 0));
      await outbox.engine.accept([accepted({ eventId, calls: [mail(bob)] })]);
      return items.size;
    });
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(2_000);
    for (const id of ids) expect(new Set((await calls(id)).map(({ state }) => state))).toEqual(new Set(["dead"]));
    const { id, duplicate } = await accept({ eventId });
    expect(duplicate).toBe(true);
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
    expect(host.received).toHaveLength(1);
  }, 60_000);
});

describe("hostile bodies", () => {
  const deep = (n: number) =>
    `{"email_data":{"token":"tok-305805"},"user":{"user_metadata":{"a":${"[".repeat(n)}${"]".repeat(n)}}}}`;
  const secretPaths = ["email_data.token"];

  it.each([
    ["a call that is settled without a request", [mail(ada, { urgent: true, expiresAt: 1 })], "dead"],
    ["a call that is sent", [mail(ada, { amount: "tok-305805" })], "done"],
  ] as const)("nested 20 000 deep, with %s: settles, and its token is erased", async (_, list, state) => {
    const { accept, calls, webhook } = await createBench();
    const { id } = await accept({
      raw: deep(20_000),
      secretPaths,
      calls: list.map((call) => ({ ...call, key: crypto.randomUUID() })),
    });
    expect(await calls(id)).toMatchObject([{ state }]);
    const { body } = await webhook(id);
    expect(body).toContain('"token":"[erased]"');
    expect(body).toContain("[".repeat(20_000));
  });

  it("nested 20 000 deep, with no call: is journalled without its token", async () => {
    const { accept, webhook } = await createBench();
    const { id } = await accept({ raw: deep(20_000), secretPaths });
    expect((await webhook(id)).body).toContain("[erased]");
  });

  it("with half a surrogate pair as token, a token of a megabyte, or many escapes: the token is erased", async () => {
    const { accept, calls, webhook } = await createBench();
    for (const token of ["\\ud800", "x".repeat(900_000), '\\"\\\\'.repeat(100_000)]) {
      const { id } = await accept({
        raw: `{"email_data":{"token":"${token}"}}`,
        secretPaths,
        calls: [mail(ada)].map((call) => ({ ...call, key: crypto.randomUUID() })),
      });
      expect(await calls(id)).toMatchObject([{ state: "done" }]);
      expect((await webhook(id)).body).toBe('{"email_data":{"token":"[erased]"}}');
    }
  });

  it("a long message of the host is cut to 500 characters", async () => {
    const { accept, calls, host, read } = await createBench();
    let tries = 0;
    host.before = () => (tries++ < 3 ? failure(500, "x".repeat(900_000)) : undefined);
    const { id } = await accept({ calls: [mail(ada)] });
    const [call] = await calls(id);
    expect(call?.attempts.map(({ message }) => message?.length)).toEqual([500, 500, 500, undefined]);
    expect(JSON.stringify(await read(id)).length).toBeLessThan(4_000);
  });
});

describe("Retry-After", () => {
  it.each(["99999999999999", "31536000"])(
    "is believed for a quarter of an hour at most: Retry-After: %s",
    async (seconds) => {
      const { accept, calls, host, stub, waitFor } = await createBench();
      host.before = () => (host.received.length === 1 ? failure(429, "later", { "Retry-After": seconds }) : undefined);
      const { id } = await accept({ calls: [mail(ada)] });
      await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "backoff" } }));
      host.offset += 901_000;
      await accept();
      expect(await calls(id)).toMatchObject([{ state: "done" }]);
    },
  );

  it("of 0 or none makes each wait longer than the one before", async () => {
    const { accept, host, pass } = await createBench();
    host.before = () => failure(429, "no", host.received.length % 2 ? { "Retry-After": "0" } : {});
    await accept({ calls: [mail(ada)] });
    await pass(3_600);
    expect(host.received.length).toBeGreaterThanOrEqual(2);
    expect(host.received.length).toBeLessThanOrEqual(3);
  });
});

describe("an answer that does not come from the API", () => {
  it("is no success as a 2xx with a web page", async () => {
    const { accept, calls, host } = await createBench();
    host.before = () => (host.received.length === 1 ? new Response("<html>welcome</html>") : undefined);
    const [call] = await calls((await accept({ calls: [mail(ada)] })).id);
    expect(call).toMatchObject({
      state: "done",
      attempts: [{ message: expect.stringContaining("EMAIL_API_URL") }, { status: 200 }],
    });
    expect(host.acted).toHaveLength(1);
  });

  it("does not end a block as a 503 of a proxy", async () => {
    const { accept, host, stub, waitFor } = await createBench();
    host.before = () => failure(401, "Invalid API key");
    await accept({ calls: [mail(ada), event(bob)] });
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }));
    const checks = host.keyChecks.length;
    host.before = () => failure(503, "gateway");
    host.offset += 21_000;
    await accept();
    await waitFor(() => expect(host.keyChecks.length).toBeGreaterThan(checks), 5_000);
    await waitFor(async () =>
      expect(await stub().status()).toMatchObject({
        interruption: { reason: "blocked", probes: 1, message: "Invalid API key" },
      }),
    );
  }, 15_000);
});
