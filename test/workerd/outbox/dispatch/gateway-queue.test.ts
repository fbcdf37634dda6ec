import { describe, expect, it } from "vitest";
import type { Forward, Forwarded } from "../../../../src/outbox/dispatch/gateway-queue.ts";
import { failure } from "../service.ts";
import { createBench, mail, update } from "../setup.ts";

const request = (path: string, body: object = {}, more: Partial<Forward> = {}): Forward => ({
  method: "POST",
  path,
  headers: [["content-type", "application/json"]],
  body: JSON.stringify(body),
  ...more,
});
const createGateway = async () => {
  const bench = await createBench();
  return {
    ...bench,
    forward: (forwarded: Forward, wait: number): Promise<Forwarded> =>
      bench.during((outbox) => outbox.forward(forwarded, wait)),
  };
};

const text = (forwarded: object) => new TextDecoder().decode((forwarded as { body: ArrayBuffer }).body);

describe("the gateway", () => {
  it("sends requests in order of arrival at an even pace, and returns the email service's own answer to each", async () => {
    const { during, service } = await createGateway();
    const requests = Array.from({ length: 25 }, (_, n) => request("/v1/events/send", { n }));
    const answers = await during((outbox) => Promise.all(requests.map((one) => outbox.forward(one, 30_000))));
    expect(service.received.map(({ body }) => body.n)).toEqual(Array.from({ length: 25 }, (_, n) => n));
    expect(answers.map((answer) => ("status" in answer ? answer.status : answer))).toEqual(Array(25).fill(200));
    expect(JSON.parse(text(answers[3] as object))).toEqual({ success: true, id: "id_4" });
    const times = service.received.map(({ at }) => at);
    for (let n = 10; n < times.length; n++)
      expect((times[n] as number) - (times[n - 10] as number)).toBeGreaterThanOrEqual(1_000);
  }, 20_000);

  it("mail goes before updates, for deliveries of rules and for gateway requests alike", async () => {
    const { accept, deliveries, forward, service, waitFor } = await createGateway();
    const updates = Array.from({ length: 8 }, (_, n) => update({ email: `u${n}@example.com` }, { n }));
    const { id } = await accept({ deliveries: updates });
    await waitFor(() => expect(service.received.length).toBeGreaterThan(1));
    await forward(request("/v1/transactional", { mine: true }), 5_000);
    expect(service.received.findIndex(({ body }) => body.mine === true)).toBeLessThan(6);
    await deliveries(id);
  });

  it("the operator's requests come after everything else that waits", async () => {
    const { accept, deliveries, forward, service, waitFor } = await createGateway();
    const { id } = await accept({
      deliveries: Array.from({ length: 15 }, (_, n) => update({ email: `u${n}@example.com` }, { n })),
    });
    await waitFor(() => expect(service.received.length).toBeGreaterThan(1));
    await forward(request("/v1/transactional", { mine: true }, { lane: "backfill" }), 10_000);
    expect(service.received.findIndex(({ body }) => body.mine === true)).toBe(15);
    await deliveries(id);
  });

  it("forwards Idempotency-Key, query and method", async () => {
    const { forward, service } = await createGateway();
    const headers: Forward["headers"] = [["idempotency-key", "k-1"]];
    await forward(request("/v1/events/send?x=1", {}, { headers, method: "PUT" }), 5_000);
    expect(service.received).toMatchObject([{ key: "k-1", method: "PUT", path: "/v1/events/send" }]);
    const again = await forward(request("/v1/events/send", {}, { headers }), 5_000);
    expect(again).toMatchObject({ status: 409 });
  });

  it("answers busy after the caller's bound, and then never sends the request", async () => {
    const { accept, deliveries, forward, service } = await createGateway();
    const { id } = await accept({
      deliveries: Array.from({ length: 12 }, (_, n) => mail({ email: `u${n}@example.com` })),
    });
    const answer = await forward(request("/v1/contacts/update", { mine: true }), 200);
    expect(answer).toMatchObject({ refused: "busy", retryAfter: expect.any(Number) });
    await deliveries(id);
    expect(service.received.some(({ body }) => body.mine)).toBe(false);
  });

  it("a 429 causes a backoff for all deliveries, and the caller gets it unchanged", async () => {
    const { accept, deliveries, forward, service } = await createGateway();
    service.before = () =>
      service.received.length === 1 ? failure(429, "slow down", { "Retry-After": "1" }) : undefined;
    expect(await forward(request("/v1/contacts/update"), 5_000)).toMatchObject({ status: 429 });
    const { id } = await accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await deliveries(id);
    const [first, second] = service.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it("while the API key is refused, the gateway says so at once", async () => {
    const { forward, service, stub, waitFor } = await createGateway();
    service.before = () => failure(401, "Invalid API key");
    expect(await forward(request("/v1/contacts/update"), 5_000)).toMatchObject({ status: 401 });
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }));
    expect(await forward(request("/v1/contacts/update"), 5_000)).toMatchObject({ refused: "blocked" });
    expect(service.received).toHaveLength(1);
  });

  it("an answer to a gateway request does not end a block: delivery stays blocked until a key check succeeds", async () => {
    const { accept, deliveries, forward, service, pass, stub, waitFor } = await createGateway();
    service.before = () => failure(403, "account suspended");
    const { id } = await accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await deliveries(id, () => service.received.length === 1);
    await waitFor(async () => expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } }));
    service.offset += 20_500;
    await forward(request("/v1/contacts/update"), 5_000);
    service.before = () => failure(404, "no such thing");
    await forward(request("/v1/nope"), 5_000);
    service.before = () => failure(403, "account suspended");
    service.offset += 30_000;
    await accept();
    await pass(300);
    expect((await deliveries(id, () => true))[0]?.state).toMatch(/waiting|sending/);
    expect(await stub().status()).toMatchObject({ interruption: { reason: "blocked" } });
  });

  it.each([
    ["a firewall's 401", 401, () => new Response("<html>", { status: 401 })],
    ["a proxy's 429", 429, () => new Response("Too many", { status: 429, headers: { "Retry-After": "600" } })],
    ["a 401 of one operation", 401, () => failure(401, "This key may not do that.")],
  ])("%s is the caller's alone: it delays no other request", async (_, status, answer) => {
    const { accept, deliveries, forward, service, pass, stub } = await createGateway();
    service.before = ({ path }) => (path === "/v1/contacts/update" ? answer() : undefined);
    expect(await forward(request("/v1/contacts/update"), 5_000)).toMatchObject({ status });
    await pass(500);
    expect(await stub().status()).toMatchObject({ interruption: null });
    const { id } = await accept({ deliveries: [mail({ email: "ada@example.com" })] });
    expect(await deliveries(id, undefined, 1_000)).toMatchObject([{ state: "done" }]);
    expect(service.keyChecks.length).toBeLessThanOrEqual(1);
  });

  it("waits as long as Retry-After says, as a date or in seconds", async () => {
    const { forward, service, stub } = await createGateway();
    const date = new Date(service.now() + 60_000).toUTCString();
    service.before = () => failure(429, "slow down", { "Retry-After": date });
    await forward(request("/v1/contacts/update"), 5_000);
    const { interruption } = await stub().status();
    expect((interruption?.until ?? 0) - service.now()).toBeGreaterThan(55_000);
  });

  it("an email service that hangs is an unknown outcome, and the answer says how to find out", async () => {
    const { forward, service } = await createGateway();
    service.before = () => "hang";
    const answer = await forward(request("/v1/transactional"), 5_000);
    expect(answer).toMatchObject({ refused: "unreachable", message: expect.stringContaining("Idempotency-Key") });
  });

  it("keeps the window of content endpoints, 60 in 60 s, and delays no other request for it", async () => {
    const { during, service } = await createGateway();
    const requests = Array.from({ length: 62 }, (_, n) => request(`/v1/campaigns?n=${n}`));
    const [answers, other] = await during((outbox) =>
      Promise.all([
        Promise.all(requests.map((one) => outbox.forward(one, 7_500))),
        outbox.engine.deps.sleep(6_500).then(() => outbox.forward(request("/v1/contacts/update"), 3_000)),
      ]),
    );
    expect(answers.filter((answer) => "status" in answer)).toHaveLength(60);
    expect(answers.filter((answer) => "refused" in answer && answer.refused === "busy")).toHaveLength(2);
    expect(other).toMatchObject({ status: 200 });
    expect(service.received.filter(({ path }) => path === "/v1/campaigns")).toHaveLength(60);
  }, 30_000);

  it("sends no key to another email service over plain http", async () => {
    const { during, service } = await createBench((own) => ({
      env: { ...own.env, EMAIL_API_URL: "http://mail.example" },
    }));
    const answer = await during((outbox) => outbox.forward(request("/v1/events/send"), 5_000));
    expect(answer).toMatchObject({
      refused: "unreachable",
      message: expect.stringContaining("must be an https address"),
    });
    expect(service.received).toEqual([]);
  });
});
