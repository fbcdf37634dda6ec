import { describe, expect, it } from "vitest";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
const bob = { email: "bob@example.com" };
const page = (status: number, headers = {}) =>
  new Response("<html>no</html>", { status, headers: { "Content-Type": "text/html", ...headers } });
const removal = (contact: { email: string }) =>
  ({ rule: "gone", action: "delete", contact, key: `removal of ${contact.email}` }) as const;

const FOREIGN: readonly (readonly [string, () => Response])[] = [
  ...[200, 401, 403, 404, 409].map((status) => [`a web page with ${status}`, () => page(status)] as const),
  ["200 with a status", () => Response.json({ status: "ok" })],
  ["200 with success: false", () => Response.json({ success: false, message: "no" })],
  ["a gateway's 404", () => Response.json({ message: "no Route matched", request_id: "x" }, { status: 404 })],
  ["a gateway's 403", () => Response.json({ message: "Forbidden" }, { status: 403 })],
  ["a cut success", () => new Response('{"success":tr')],
  ["a cut 409", () => new Response('{"success":false,"code":"idempotency_key_us', { status: 409 })],
];

describe("a foreign answer", () => {
  it.each(FOREIGN)("settles no delivery: %s, before and after the email service acted", async (_, answer) => {
    for (const after of [false, true]) {
      const { accept, deliveries, service } = await createBench();
      const seen = new Set<string>();
      const foreign = ({ path }: { path: string }) => (seen.size < seen.add(path).size ? answer() : undefined);
      if (after) service.after = foreign;
      else service.before = foreign;
      const { id } = await accept({
        deliveries: [
          mail(ada),
          event({ email: "eve@example.com" }),
          update(bob, { plan: "pro" }),
          removal({ email: "c@d.ee" }),
        ],
      });
      const settled = await deliveries(id);
      expect(settled.map(({ state, attempts }) => [state, attempts.length])).toEqual(Array(4).fill(["done", 2]));
      for (const { attempts } of settled)
        expect(attempts[0]?.message).toMatch(
          /^Something in front of the email service answered \d{3} with .*EMAIL_API_URL/,
        );
      expect(new Set(service.acted.map(({ path, key }) => `${path} ${key}`)).size).toBe(4);
      const keyed = service.acted.filter(({ key }) => key !== null);
      expect(keyed).toHaveLength(2);
      expect(service.keyChecks).toHaveLength(0);
    }
  });

  it("is what status and the delivery say, for five minutes after the last one", async () => {
    const { accept, deliveries, service, stub, pass } = await createBench();
    expect((await stub().health()).foreignAnswers).toBeNull();
    service.before = ({ body }) => (body.email === ada.email ? page(404) : undefined);
    const { id } = await accept({ deliveries: [mail(ada), mail(bob)] });
    const [delivery] = await deliveries(id, ([one]) => (one?.attempts.length ?? 0) > 1, 10_000);
    expect(delivery).toMatchObject({
      state: "waiting",
      message: expect.stringContaining(
        "Something in front of the email service answered 404 with a web page (text/html).",
      ),
    });
    const { foreignAnswers } = await stub().health();
    expect(foreignAnswers).toMatchObject({ count: delivery?.attempts.length, message: delivery?.message });
    service.before = () => undefined;
    await pass(301_000);
    expect((await stub().health()).foreignAnswers).toBeNull();
  });

  it("keeps its delivery waiting until a person decides: 23 h after the first one it is undecided, not failed", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ path }) => (path === "/v1/api-key" ? undefined : page(404));
    const { id } = await accept({ deliveries: [mail(ada)] });
    await deliveries(id, ([one]) => (one?.attempts.length ?? 0) > 0);
    service.offset += 23 * 3_600_000;
    await accept();
    expect(await deliveries(id)).toMatchObject([{ state: "undecided" }]);
  });

  it("a proxy's 429 delays its own delivery for as long as it asks, and no other call", async () => {
    const { accept, deliveries, service, stub } = await createBench();
    service.before = ({ body }) =>
      body.email === ada.email && service.received.length < 3 ? page(429, { "Retry-After": "3" }) : undefined;
    const first = await accept({ deliveries: [mail(ada)] });
    await deliveries(first.id, ([one]) => (one?.attempts.length ?? 0) > 0);
    const other = await accept({ deliveries: [mail(bob)] });
    const [quick] = await deliveries(other.id);
    expect((quick?.settledAt ?? 0) - (quick?.attempts[0]?.at ?? 0)).toBeLessThan(500);
    expect(await stub().status()).toMatchObject({ interruption: null });
    const [slow] = await deliveries(first.id);
    expect(slow).toMatchObject({ state: "done", attempts: [{ status: 429, wait: 3_000 }, { status: 200 }] });
  });
});

describe("a proxy's 429 to everything", () => {
  it("is obeyed: 20 requests in 90 s at most, and all deliveries arrive when it is over", async () => {
    const { accept, deliveries, service, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    service.before = () => page(429, { "Retry-After": "600" });
    const { id } = await accept({
      deliveries: Array.from({ length: 60 }, (_, n) => mail({ email: `u${n}@example.com` })),
    });
    await pass(90_000);
    expect(service.received.length).toBeLessThanOrEqual(20);
    expect(await stub().status()).toMatchObject({ interruption: { reason: "backoff" } });
    const waiting = await deliveries(id, () => true);
    expect(waiting.filter(({ attempts }) => attempts.length > 0).length).toBeLessThanOrEqual(20);
    service.before = () => undefined;
    for (const { state } of await deliveries(id, undefined, 200_000)) expect(state).toBe("done");
  });

  it("to many mails of one name, among answers of the email service, starts no backoff", async () => {
    const { accept, service, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    service.before = ({ body }) => (body.email === ada.email ? page(429, { "Retry-After": "600" }) : undefined);
    for (let n = 0; n < 10; n++) {
      await accept({ deliveries: [mail(ada), mail(bob)] });
      await pass(1_000);
      expect(await stub().status()).toMatchObject({ interruption: null });
    }
    expect(service.acted).toHaveLength(10);
  });
});

describe("a 401 or 403 in the form of the API", () => {
  it.each([401, 403])(
    "%i of one delivery, with a good key: the delivery has failed after two refusals, and nobody waits",
    async (status) => {
      const { accept, deliveries, service, stub, pass } = await createBench();
      service.before = ({ body }) =>
        body.email === ada.email ? failure(status, "This contact is refused.") : undefined;
      const { id } = await accept({ deliveries: [mail(ada), event(bob)] });
      const [refused, other] = await deliveries(id);
      expect(refused).toMatchObject({
        state: "failed",
        message: "This contact is refused.",
        attempts: [
          {
            status,
            message:
              "This contact is refused. The email service accepts the API key, so the delivery is sent once more.",
          },
          { status, message: "This contact is refused." },
        ],
      });
      expect(other).toMatchObject({ state: "done" });
      expect(other?.settledAt).toBeLessThan((refused?.attempts[0]?.at ?? 0) + 500);
      expect(await stub().status()).toMatchObject({ interruption: null, waiting: 0 });
      await pass(60_000);
      expect(service.received).toHaveLength(3);
      expect(service.keyChecks).toHaveLength(1);
    },
  );

  it("of two statuses in turn: the delivery has failed at the second, not before a backoff", async () => {
    const { accept, deliveries, service, pass } = await createBench(() => ({ random: () => 0.5 }));
    let n = 0;
    service.before = ({ path }) => (path === "/v1/api-key" ? undefined : failure(n++ % 2 === 0 ? 401 : 403, "no"));
    const { id } = await accept({ deliveries: [mail(ada)] });
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({ state: "failed", attempts: [{ status: 401, wait: 1_000 }, { status: 403 }] });
    await pass(60_000);
    expect(service.received).toHaveLength(2);
    expect(service.keyChecks).toHaveLength(1);
  });

  it("of 100 events costs two requests each, and a check every few seconds", async () => {
    const { accept, deliveries, service } = await createBench(() => ({ random: () => 0.5 }));
    service.before = ({ path }) => (path === "/v1/api-key" ? undefined : failure(403, "no"));
    const { id } = await accept({
      deliveries: Array.from({ length: 100 }, (_, n) => event({ email: `u${n}@example.com` })),
    });
    const failed = await deliveries(id, undefined, 120_000);
    expect(failed.map(({ state, attempts }) => [state, attempts.length])).toEqual(Array(100).fill(["failed", 2]));
    expect(service.received).toHaveLength(200);
    expect(service.keyChecks.length).toBeLessThanOrEqual(20);
  });

  it("of all deliveries right after an accepted check: the key was withdrawn, and no delivery has failed", async () => {
    const { accept, deliveries, service, stub, waitFor } = await createBench(() => ({ random: () => 0.5 }));
    service.before = ({ body }) => (body.email === ada.email ? failure(403, "no") : undefined);
    const first = await accept({ deliveries: [mail(ada)] });
    await deliveries(first.id);
    service.before = () => failure(401, "Invalid API key");
    const { id } = await accept({ deliveries: [mail(bob), event(bob)] });
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      10_000,
    );
    service.before = () => undefined;
    service.offset += 16_000;
    await accept();
    for (const delivery of await deliveries(id)) expect(delivery).toMatchObject({ state: "done" });
  });

  it("in a form that proxies use too: with a bad key it blocks, with a good one the delivery alone waits", async () => {
    const { accept, deliveries, service, stub, waitFor } = await createBench(() => ({ random: () => 0.5 }));
    const plain = () => Response.json({ error: "Invalid API key" }, { status: 401 });
    let isBad = false;
    service.before = ({ body, path }) =>
      path === "/v1/api-key" ? (isBad ? plain() : undefined) : body.email === ada.email ? plain() : undefined;
    const { id } = await accept({ deliveries: [mail(ada)] });
    const [delivery] = await deliveries(id, ([one]) => (one?.attempts.length ?? 0) > 3, 60_000);
    expect(delivery).toMatchObject({
      state: "waiting",
      message: "The email service accepts the API key, so something in front of it answered 401.",
    });
    expect(await stub().health()).toMatchObject({ foreignAnswers: { count: delivery?.attempts.length } });
    isBad = true;
    service.offset += 60_000;
    await accept();
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      30_000,
    );
  });

  it.each(["a pause", "a backoff"])("during %s is checked afterwards: meanwhile nothing is sent", async (what) => {
    const { accept, deliveries, service, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    service.before = async ({ path, body }) => {
      if (path === "/v1/api-key") return undefined;
      if (body.email === bob.email)
        return what === "a backoff" && service.received.length <= 2
          ? failure(429, "Slow down.", { "Retry-After": "20" })
          : undefined;
      await service.sleep(1_000);
      return failure(401, "no");
    };
    const { id } = await accept({ deliveries: [mail(ada), mail(bob)] });
    await pass(500);
    if (what === "a pause") await stub().pause(undefined, true);
    await pass(15_000);
    expect(service.keyChecks).toHaveLength(0);
    expect(service.received).toHaveLength(2);
    expect(await deliveries(id, () => true)).toMatchObject([{ state: "waiting", attempts: [] }, {}]);
    if (what === "a pause") await stub().pause(undefined, false);
    expect(await deliveries(id, undefined, 60_000)).toMatchObject([{ state: "failed" }, { state: "done" }]);
    expect(service.keyChecks).toHaveLength(1);
  });

  it("with a bad key: one check blocks all deliveries, however many deliveries were refused, and no delivery is attempted", async () => {
    const { accept, deliveries, service, pass, stub, waitFor } = await createBench();
    service.before = async () => {
      await service.sleep(500);
      return failure(401, "Invalid API key");
    };
    const { id } = await accept({ deliveries: [mail(ada), mail(bob), event(ada), update(bob, { plan: "pro" })] });
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      5_000,
    );
    await pass(2_000);
    expect((await stub().status()).interruption).toMatchObject({ probes: 0 });
    const sent = service.received.length;
    expect(service.keyChecks).toHaveLength(1);
    // Probes are key checks: no delivery is sent while the key is refused.
    service.offset += 16_000;
    await accept();
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { probes: 1 } }), 5_000);
    expect(service.keyChecks).toHaveLength(2);
    expect(service.received).toHaveLength(sent);
    service.before = () => undefined;
    service.offset += 31_000;
    await accept();
    for (const delivery of await deliveries(id))
      expect(delivery).toMatchObject({ state: "done", attempts: [{ status: 200 }] });
  });

  it.each([
    ["an email service without the operation", () => failure(404, "No such path.")],
    ["a web page", () => page(401)],
    ["no answer", () => "hang" as const],
  ])(
    "with a key check that says nothing (%s): the delivery alone waits, and is undecided in the end",
    async (_, answer) => {
      const { accept, deliveries, service, stub } = await createBench(() => ({ random: () => 0.5 }));
      service.before = ({ body, path }) =>
        path === "/v1/api-key" ? answer() : body.email === ada.email ? failure(401, "no") : undefined;
      const { id } = await accept({ deliveries: [mail(ada), mail(bob)] });
      const [refused, other] = await deliveries(
        id,
        ([one, two]) => (one?.attempts.length ?? 0) > 0 && two?.state === "done",
        30_000,
      );
      expect(refused?.attempts[0]).toMatchObject({
        status: 401,
        message: "no. Whether the email service accepts the API key is not known.",
      });
      expect((other?.settledAt ?? 0) - (other?.attempts[0]?.at ?? 0)).toBeLessThan(500);
      expect(await stub().status()).toMatchObject({ interruption: null });
      service.offset += 23 * 3_600_000;
      await accept();
      expect(await deliveries(id, undefined, 30_000)).toMatchObject([{ state: "undecided" }, { state: "done" }]);
    },
  );

  it("a key that is refused for a moment kills no delivery", async () => {
    const { accept, deliveries, service } = await createBench();
    const seen = new Set<string | null>();
    service.before = ({ path, key }) =>
      path !== "/v1/api-key" && seen.size < seen.add(key).size ? failure(401, "no") : undefined;
    const { id } = await accept({ deliveries: [mail(ada), mail(bob)] });
    for (const delivery of await deliveries(id))
      expect(delivery).toMatchObject({ state: "done", attempts: [{ status: 401 }, { status: 200 }] });
  });
});
