import { describe, expect, it } from "vitest";
import { failure } from "../host.ts";
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
  it.each(FOREIGN)("settles no call: %s, before and after the host acted", async (_, answer) => {
    for (const after of [false, true]) {
      const { accept, calls, host } = await createBench();
      const seen = new Set<string>();
      const foreign = ({ path }: { path: string }) => (seen.size < seen.add(path).size ? answer() : undefined);
      if (after) host.after = foreign;
      else host.before = foreign;
      const { id } = await accept({
        calls: [
          mail(ada),
          event({ email: "eve@example.com" }),
          update(bob, { plan: "pro" }),
          removal({ email: "c@d.ee" }),
        ],
      });
      const settled = await calls(id);
      expect(settled.map(({ state, attempts }) => [state, attempts.length])).toEqual(Array(4).fill(["done", 2]));
      for (const { attempts } of settled)
        expect(attempts[0]?.message).toMatch(/^Something in front of the host answered \d{3} with .*EMAIL_API_URL/);
      expect(new Set(host.acted.map(({ path, key }) => `${path} ${key}`)).size).toBe(4);
      const keyed = host.acted.filter(({ key }) => key !== null);
      expect(keyed).toHaveLength(2);
      expect(host.keyChecks).toHaveLength(0);
    }
  });

  it("is what status and the call say, for five minutes after the last one", async () => {
    const { accept, calls, host, stub, pass } = await createBench();
    expect((await stub().health()).foreignAnswers).toBeNull();
    host.before = ({ body }) => (body.email === ada.email ? page(404) : undefined);
    const { id } = await accept({ calls: [mail(ada), mail(bob)] });
    const [call] = await calls(id, ([one]) => (one?.attempts.length ?? 0) > 1, 10_000);
    expect(call).toMatchObject({
      state: "waiting",
      message: expect.stringContaining("Something in front of the host answered 404 with a web page (text/html)."),
    });
    const { foreignAnswers } = await stub().health();
    expect(foreignAnswers).toMatchObject({ count: call?.attempts.length, message: call?.message });
    host.before = () => undefined;
    await pass(301_000);
    expect((await stub().health()).foreignAnswers).toBeNull();
  });

  it("keeps its call waiting until a person decides: 23 h after the first one it is parked, not dead", async () => {
    const { accept, calls, host } = await createBench();
    host.before = () => page(404);
    const { id } = await accept({ calls: [mail(ada)] });
    await calls(id, ([one]) => (one?.attempts.length ?? 0) > 0);
    host.offset += 23 * 3_600_000;
    await accept();
    expect(await calls(id)).toMatchObject([{ state: "parked" }]);
  });

  it("a proxy's 429 delays its own call for as long as it asks, and no other call", async () => {
    const { accept, calls, host, stub } = await createBench();
    host.before = ({ body }) =>
      body.email === ada.email && host.received.length < 3 ? page(429, { "Retry-After": "3" }) : undefined;
    const first = await accept({ calls: [mail(ada)] });
    await calls(first.id, ([one]) => (one?.attempts.length ?? 0) > 0);
    const other = await accept({ calls: [mail(bob)] });
    const [quick] = await calls(other.id);
    expect((quick?.settledAt ?? 0) - (quick?.attempts[0]?.at ?? 0)).toBeLessThan(500);
    expect(await stub().status()).toMatchObject({ interruption: null });
    const [slow] = await calls(first.id);
    expect(slow).toMatchObject({ state: "done", attempts: [{ status: 429, wait: 3_000 }, { status: 200 }] });
  });
});

describe("a proxy's 429 to everything", () => {
  it("is obeyed: 20 requests in 90 s at most, and all calls arrive when it is over", async () => {
    const { accept, calls, host, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    host.before = () => page(429, { "Retry-After": "600" });
    const { id } = await accept({ calls: Array.from({ length: 60 }, (_, n) => mail({ email: `u${n}@example.com` })) });
    await pass(90_000);
    expect(host.received.length).toBeLessThanOrEqual(20);
    expect(await stub().status()).toMatchObject({ interruption: { reason: "backoff" } });
    const waiting = await calls(id, () => true);
    expect(waiting.filter(({ attempts }) => attempts.length > 0).length).toBeLessThanOrEqual(20);
    host.before = () => undefined;
    for (const { state } of await calls(id, undefined, 200_000)) expect(state).toBe("done");
  });

  it("to many mails of one name, among answers of the host, starts no backoff", async () => {
    const { accept, host, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    host.before = ({ body }) => (body.email === ada.email ? page(429, { "Retry-After": "600" }) : undefined);
    for (let n = 0; n < 10; n++) {
      await accept({ calls: [mail(ada), mail(bob)] });
      await pass(1_000);
      expect(await stub().status()).toMatchObject({ interruption: null });
    }
    expect(host.acted).toHaveLength(10);
  });
});

describe("a 401 or 403 in the form of the API", () => {
  it.each([401, 403])(
    "%i of one call, with a good key: the call is dead after two refusals, and nobody waits",
    async (status) => {
      const { accept, calls, host, stub, pass } = await createBench();
      host.before = ({ body }) => (body.email === ada.email ? failure(status, "This contact is refused.") : undefined);
      const { id } = await accept({ calls: [mail(ada), event(bob)] });
      const [refused, other] = await calls(id);
      expect(refused).toMatchObject({
        state: "dead",
        message: "This contact is refused.",
        attempts: [
          { status, message: "This contact is refused. The host accepts the API key, so the call is sent once more." },
          { status, message: "This contact is refused." },
        ],
      });
      expect(other).toMatchObject({ state: "done" });
      expect(other?.settledAt).toBeLessThan((refused?.attempts[0]?.at ?? 0) + 500);
      expect(await stub().status()).toMatchObject({ interruption: null, waiting: 0 });
      await pass(60_000);
      expect(host.received).toHaveLength(3);
      expect(host.keyChecks).toHaveLength(1);
    },
  );

  it("of two statuses in turn: the call is dead at the second, not before a backoff", async () => {
    const { accept, calls, host, pass } = await createBench(() => ({ random: () => 0.5 }));
    let n = 0;
    host.before = ({ path }) => (path === "/v1/api-key" ? undefined : failure(n++ % 2 === 0 ? 401 : 403, "no"));
    const { id } = await accept({ calls: [mail(ada)] });
    const [call] = await calls(id);
    expect(call).toMatchObject({ state: "dead", attempts: [{ status: 401, wait: 1_000 }, { status: 403 }] });
    await pass(60_000);
    expect(host.received).toHaveLength(2);
    expect(host.keyChecks).toHaveLength(1);
  });

  it("of 100 events costs two requests each, and a check every few seconds", async () => {
    const { accept, calls, host } = await createBench(() => ({ random: () => 0.5 }));
    host.before = ({ path }) => (path === "/v1/api-key" ? undefined : failure(403, "no"));
    const { id } = await accept({
      calls: Array.from({ length: 100 }, (_, n) => event({ email: `u${n}@example.com` })),
    });
    const dead = await calls(id, undefined, 120_000);
    expect(dead.map(({ state, attempts }) => [state, attempts.length])).toEqual(Array(100).fill(["dead", 2]));
    expect(host.received).toHaveLength(200);
    expect(host.keyChecks.length).toBeLessThanOrEqual(20);
  });

  it("of all calls right after an accepted check: the key was withdrawn, and no call is dead", async () => {
    const { accept, calls, host, stub, waitFor } = await createBench(() => ({ random: () => 0.5 }));
    host.before = ({ body }) => (body.email === ada.email ? failure(403, "no") : undefined);
    const first = await accept({ calls: [mail(ada)] });
    await calls(first.id);
    host.before = () => failure(401, "Invalid API key");
    const { id } = await accept({ calls: [mail(bob), event(bob)] });
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      10_000,
    );
    host.before = () => undefined;
    host.offset += 16_000;
    await accept();
    for (const call of await calls(id)) expect(call).toMatchObject({ state: "done" });
  });

  it("in a form that proxies use too: with a bad key it blocks, with a good one the call alone waits", async () => {
    const { accept, calls, host, stub, waitFor } = await createBench(() => ({ random: () => 0.5 }));
    const plain = () => Response.json({ error: "Invalid API key" }, { status: 401 });
    let isBad = false;
    host.before = ({ body, path }) =>
      path === "/v1/api-key" ? (isBad ? plain() : undefined) : body.email === ada.email ? plain() : undefined;
    const { id } = await accept({ calls: [mail(ada)] });
    const [call] = await calls(id, ([one]) => (one?.attempts.length ?? 0) > 3, 60_000);
    expect(call).toMatchObject({
      state: "waiting",
      message: "The host accepts the API key, so something in front of it answered 401.",
    });
    expect(await stub().health()).toMatchObject({ foreignAnswers: { count: call?.attempts.length } });
    isBad = true;
    host.offset += 60_000;
    await accept();
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      30_000,
    );
  });

  it.each(["a pause", "a backoff"])("during %s is checked afterwards: meanwhile nothing is sent", async (what) => {
    const { accept, calls, host, stub, pass } = await createBench(() => ({ random: () => 0.5 }));
    host.before = async ({ path, body }) => {
      if (path === "/v1/api-key") return undefined;
      if (body.email === bob.email)
        return what === "a backoff" && host.received.length <= 2
          ? failure(429, "Slow down.", { "Retry-After": "20" })
          : undefined;
      await host.sleep(1_000);
      return failure(401, "no");
    };
    const { id } = await accept({ calls: [mail(ada), mail(bob)] });
    await pass(500);
    if (what === "a pause") await stub().pause(undefined, true);
    await pass(15_000);
    expect(host.keyChecks).toHaveLength(0);
    expect(host.received).toHaveLength(2);
    expect(await calls(id, () => true)).toMatchObject([{ state: "waiting", attempts: [] }, {}]);
    if (what === "a pause") await stub().pause(undefined, false);
    expect(await calls(id, undefined, 60_000)).toMatchObject([{ state: "dead" }, { state: "done" }]);
    expect(host.keyChecks).toHaveLength(1);
  });

  it("with a bad key: one check blocks all delivery, however many calls were refused, and no call is attempted", async () => {
    const { accept, calls, host, pass, stub, waitFor } = await createBench();
    host.before = async () => {
      await host.sleep(500);
      return failure(401, "Invalid API key");
    };
    const { id } = await accept({ calls: [mail(ada), mail(bob), event(ada), update(bob, { plan: "pro" })] });
    await waitFor(
      async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }),
      5_000,
    );
    await pass(2_000);
    expect((await stub().status()).interruption).toMatchObject({ probes: 0 });
    const sent = host.received.length;
    expect(host.keyChecks).toHaveLength(1);
    // Probes are key checks: no delivery is sent while the key is refused.
    host.offset += 16_000;
    await accept();
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { probes: 1 } }), 5_000);
    expect(host.keyChecks).toHaveLength(2);
    expect(host.received).toHaveLength(sent);
    host.before = () => undefined;
    host.offset += 31_000;
    await accept();
    for (const call of await calls(id)) expect(call).toMatchObject({ state: "done", attempts: [{ status: 200 }] });
  });

  it.each([
    ["a host without the operation", () => failure(404, "No such path.")],
    ["a web page", () => page(401)],
    ["no answer", () => "hang" as const],
  ])("with a key check that says nothing (%s): the call alone waits, and is parked in the end", async (_, answer) => {
    const { accept, calls, host, stub } = await createBench(() => ({ random: () => 0.5 }));
    host.before = ({ body, path }) =>
      path === "/v1/api-key" ? answer() : body.email === ada.email ? failure(401, "no") : undefined;
    const { id } = await accept({ calls: [mail(ada), mail(bob)] });
    const [refused, other] = await calls(
      id,
      ([one, two]) => (one?.attempts.length ?? 0) > 0 && two?.state === "done",
      30_000,
    );
    expect(refused?.attempts[0]).toMatchObject({
      status: 401,
      message: "no. Whether the host accepts the API key is not known.",
    });
    expect((other?.settledAt ?? 0) - (other?.attempts[0]?.at ?? 0)).toBeLessThan(500);
    expect(await stub().status()).toMatchObject({ interruption: null });
    host.offset += 23 * 3_600_000;
    await accept();
    expect(await calls(id, undefined, 30_000)).toMatchObject([{ state: "parked" }, { state: "done" }]);
  });

  it("a key that is refused for a moment kills no call", async () => {
    const { accept, calls, host } = await createBench();
    const seen = new Set<string | null>();
    host.before = ({ path, key }) =>
      path !== "/v1/api-key" && seen.size < seen.add(key).size ? failure(401, "no") : undefined;
    const { id } = await accept({ calls: [mail(ada), mail(bob)] });
    for (const call of await calls(id))
      expect(call).toMatchObject({ state: "done", attempts: [{ status: 401 }, { status: 200 }] });
  });
});
