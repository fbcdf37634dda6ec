import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import type { Delivery, DeliveryRef } from "../../../../src/outbox/model/journal-types.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const HOUR = 3_600_000;
const ada = { email: "ada@example.com" };

const refOf = (id: string, index = 0): DeliveryRef => ({ seq: seqOf(id) as number, index });
const retry = async (bench: Bench, id: string, index = 0) => bench.ask((outbox) => outbox.retry(refOf(id, index)));
const discard = async (bench: Bench, id: string) => bench.ask((outbox) => outbox.discard(refOf(id)));
const sendAgain = async (bench: Bench, id: string, confirmed: boolean, key = "again_1") =>
  bench.ask((outbox) => outbox.sendAgain(refOf(id), confirmed, key));
const refusal = (code: string, message: RegExp) => ({ refusal: { code, message: expect.stringMatching(message) } });

const failed = async (bench: Bench, delivery = mail(ada), status = 400) => {
  bench.service.before = () => failure(status, "Missing required data variable(s): amount");
  const { id } = await bench.accept({ deliveries: [delivery] });
  expect(await bench.deliveries(id)).toMatchObject([{ state: "failed" }]);
  bench.service.before = () => undefined;
  return id;
};

/** A mail that landed, but every answer was an error until the email service's keys had expired. */
const undecided = async (bench: Bench, delivery = mail(ada), hours = 23.1) => {
  bench.service.after = () => failure(502, "bad gateway");
  bench.service.before = () => (bench.service.received.length > 1 ? failure(500, "down") : undefined);
  const { id } = await bench.accept({ deliveries: [delivery] });
  await bench.deliveries(id, ([one]) => (one?.attempts.length ?? 0) >= 1);
  bench.service.offset = hours * HOUR;
  await bench.crash();
  await bench.accept();
  expect(await bench.deliveries(id)).toMatchObject([{ state: "undecided" }]);
  bench.service.before = () => undefined;
  bench.service.after = () => undefined;
  return id;
};

describe("the outcomes of the rules", () => {
  const outcomes = [
    { rule: "paid", outcome: "matched" },
    { rule: "other", outcome: "not matched", clause: "(e) => e.amount > 0" },
  ] as const;
  const kept = async (bench: Bench, id: string) =>
    (await bench.ask((outbox) => outbox.show(seqOf(id) as number)))?.webhook.outcomes;

  it.each([
    ["retry", (bench: Bench, id: string) => retry(bench, id)],
    ["discard", (bench: Bench, id: string) => discard(bench, id)],
    ["send again", (bench: Bench, id: string) => sendAgain(bench, id, true)],
  ])("are still in the journal after %s", async (_, act) => {
    const bench = await createBench();
    bench.service.before = () => failure(400, "no");
    const { id } = await bench.accept({ deliveries: [mail(ada)], outcomes: [...outcomes] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "failed" }]);
    expect(await act(bench, id)).toHaveProperty("delivery");
    await bench.deliveries(id);
    expect(await kept(bench, id)).toEqual(outcomes);
  });
});

describe("retry", () => {
  it("of a failed delivery whose template was fixed sends exactly one mail, with its own key", async () => {
    const bench = await createBench();
    const id = await failed(bench);
    const [before] = await bench.deliveries(id);
    expect(await retry(bench, id)).toMatchObject({ delivery: { state: "waiting", key: before?.key } });
    const [after] = await bench.deliveries(id);
    expect(after).toMatchObject({
      state: "done",
      key: before?.key,
      attempts: [{ status: 400 }, { status: 200 }],
      acts: [{ act: "retry", state: "failed", message: expect.stringContaining("Missing required") }],
    });
    expect(after).not.toHaveProperty("message");
    expect(bench.service.acted.map(({ key }) => key)).toEqual([before?.key]);
  });

  it("of a delivery whose first attempt timed out but landed sends none: the email service says so", async () => {
    const bench = await createBench();
    bench.service.after = () => failure(504, "timeout");
    bench.service.before = () => (bench.service.received.length === 2 ? failure(400, "no") : undefined);
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "failed", attempts: [{ status: 504 }, { status: 400 }] },
    ]);
    bench.service.after = () => undefined;
    await retry(bench, id);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done", attempts: [{}, {}, { status: 409 }] }]);
    expect(bench.service.acted).toHaveLength(1);
  });

  it("survives a crash right after it: the row is open again", async () => {
    const bench = await createBench();
    const id = await failed(bench);
    await bench.stub().pause(undefined, true);
    await retry(bench, id);
    await bench.crash();
    await bench.stub().pause(undefined, false);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(bench.service.acted).toHaveLength(1);
  });

  it("is refused where the email service has dropped the key: it could act a second time", async () => {
    const bench = await createBench();
    const id = await undecided(bench);
    expect(await retry(bench, id)).toEqual(refusal("key_expired", /use send-again/));
    expect(await bench.deliveries(id)).toMatchObject([{ state: "undecided" }]);
    await bench.pass(200);
    expect(bench.service.acted).toHaveLength(1);
  });

  it("of a contact update is always possible: it may be written twice", async () => {
    const bench = await createBench();
    const id = await undecided(bench, update(ada, { plan: "pro" }), 72.1);
    expect(await retry(bench, id)).toMatchObject({ delivery: { state: "waiting" } });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
  });

  it("of a delivery without a known person waits for the identity link", async () => {
    const bench = await createBench();
    const { id } = await bench.accept({ deliveries: [event({ ref: "stripe:cus_1" })] });
    bench.service.offset = 73 * HOUR;
    await bench.crash();
    await bench.accept();
    expect(await bench.deliveries(id)).toMatchObject([{ state: "undecided" }]);
    expect(await retry(bench, id)).toEqual(
      refusal("not_retryable", /No webhook has linked stripe:cus_1 to an email address/),
    );
    await bench.accept({ links: [{ ref: "stripe:cus_1", email: "ada@example.com" }] });
    await retry(bench, id);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
  });

  it.each([
    ["mail", mail],
    ["event", (contact: Parameters<typeof event>[0], more: object) => ({ ...event(contact), ...more })],
  ])("a too old %s is sent again, but only when a person confirms it", async (_, of) => {
    const bench = await createBench();
    const { id } = await bench.accept({ deliveries: [of(ada, { notAfter: bench.service.now() })] });
    await bench.deliveries(id);
    expect(await retry(bench, id)).toEqual(refusal("not_retryable", /To send it all the same, use send-again/));
    expect(await sendAgain(bench, id, false)).toEqual(refusal("confirmation_needed", /It was never sent before/));
    expect(bench.service.received).toHaveLength(0);
    await sendAgain(bench, id, true);
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "done", acts: [{ act: "send again", state: "skipped" }] },
    ]);
    expect(bench.service.acted).toHaveLength(1);
  });

  it("is refused for a delivery that is done, waits, was erased, has expired, or does not exist", async () => {
    const bench = await createBench();
    const { id: done } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.deliveries(done);
    expect(await retry(bench, done)).toEqual(
      refusal("not_retryable", /done\. To make it a second time, use send-again/),
    );
    bench.service.before = () => failure(400, "no");
    const { id: erased } = await bench.accept({
      raw: '{"token":"305805"}',
      secretPaths: ["token"],
      deliveries: [mail(ada, { amount: "https://x.test/305805" })],
    });
    await bench.deliveries(erased);
    const { id: late } = await bench.accept({
      deliveries: [mail(ada, { urgent: true, expiresAt: bench.service.now() + 60_000 })],
    });
    await bench.deliveries(late);
    bench.service.offset = 61_000;
    expect(await retry(bench, erased)).toEqual(refusal("not_retryable", /erased/));
    expect(await retry(bench, late)).toEqual(refusal("not_retryable", /expired/));
    expect(await sendAgain(bench, late, true)).toEqual(refusal("not_retryable", /expired/));
    bench.service.before = () => "hang";
    const { id: waits } = await bench.accept({ deliveries: [mail(ada)] });
    expect(await retry(bench, waits)).toEqual(refusal("not_retryable", /already waiting/));
    expect(await discard(bench, waits)).toEqual(refusal("not_discardable", /already waiting/));
    expect(await sendAgain(bench, waits, true)).toEqual(refusal("not_retryable", /already waiting/));
    for (const act of [retry, discard])
      expect(await act(bench, "wh_1")).toEqual(refusal("not_found", /no delivery with this id/));
    expect(await retry(bench, done, 7)).toEqual(refusal("not_found", /no delivery with this id/));
  });
});

describe("discard", () => {
  it("ends an undecided delivery, and records the act and the state before", async () => {
    const bench = await createBench();
    const id = await undecided(bench);
    expect(await discard(bench, id)).toMatchObject({
      delivery: { state: "failed", message: "Discarded by a person.", acts: [{ act: "discard", state: "undecided" }] },
    });
    const again = (await discard(bench, id)) as { delivery: Delivery };
    expect(again.delivery.acts).toHaveLength(1);
    expect((await bench.stub().status()).waiting).toBe(0);
  });
});

describe("send again", () => {
  it("first says who would get what and what is known; confirmed, it sends with a new key", async () => {
    const bench = await createBench();
    const id = await undecided(bench);
    const [before] = await bench.deliveries(id);
    expect(await sendAgain(bench, id, false)).toEqual(
      refusal(
        "confirmation_needed",
        /sends the mail "receipt" for ada@example\.com again.*unknown.*second time.*"confirm": true/s,
      ),
    );
    expect(await bench.deliveries(id)).toMatchObject([{ state: "undecided", key: before?.key }]);
    expect(bench.service.acted).toHaveLength(1);
    await sendAgain(bench, id, true, "again_new");
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "done", key: "again_new", acts: [{ act: "send again", key: before?.key, state: "undecided" }] },
    ]);
    expect(bench.service.acted.map(({ key }) => key)).toEqual([before?.key, "again_new"]);
  });

  it("of a done delivery warns that it makes the delivery a second time", async () => {
    const bench = await createBench();
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.deliveries(id);
    expect(await sendAgain(bench, id, false)).toEqual(refusal("confirmation_needed", /makes it a second time/));
    await sendAgain(bench, id, true, "k2");
    await bench.waitFor(async () => expect(bench.service.acted).toHaveLength(2));
  });
});

describe("retry of many", () => {
  it("only counts by default; then retries each delivery that can be retried, and gives the reason for the others", async () => {
    const bench = await createBench();
    const erased = await undecided(bench);
    const ids = [await failed(bench), await failed(bench), await failed(bench)];
    const { id: other } = await bench.accept({ source: "clerk", deliveries: [mail(ada)] });
    await bench.deliveries(other);
    await discard(bench, ids[2] as string);
    const all = async (filter: object, dryRun: boolean) =>
      bench.ask((outbox) => outbox.retryAll(filter, undefined, dryRun));
    const expected = [refOf(ids[1] as string), refOf(ids[0] as string)];
    expect(await all({}, true)).toMatchObject({ retried: expected, refused: { key_expired: 1 } });
    expect(await bench.deliveries(ids[0] as string)).toMatchObject([{ state: "failed" }]);
    expect(await all({ source: "clerk" }, false)).toMatchObject({ retried: [], refused: {} });
    const acted = bench.service.acted.length;
    expect(await all({}, false)).toMatchObject({ retried: expected, refused: { key_expired: 1 } });
    for (const id of ids.slice(0, 2)) expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(await bench.deliveries(erased)).toMatchObject([{ state: "undecided" }]);
    expect(bench.service.acted).toHaveLength(acted + 2);
  });
});

describe("pause", () => {
  it("of a source keeps its deliveries waiting while others leave; resume sends them at once", async () => {
    const bench = await createBench();
    await bench.stub().pause("stripe", true);
    const held = await bench.accept({ source: "stripe", deliveries: [mail(ada)] });
    const other = await bench.accept({ source: "clerk", deliveries: [mail(ada)] });
    await bench.deliveries(other.id);
    expect(bench.service.acted).toHaveLength(1);
    expect(await bench.stub().show(refOf(held.id).seq)).toMatchObject({ waits: [{ for: "paused", source: "stripe" }] });
    await bench.crash();
    expect(await bench.stub().status()).toMatchObject({
      waiting: 1,
      pauses: { sources: { stripe: expect.any(Number) } },
      lanes: { transactional: { waiting: 1, oldest: expect.any(Number) }, urgent: { waiting: 0 } },
    });
    await bench.stub().pause("stripe", false);
    expect(await bench.deliveries(held.id)).toMatchObject([{ state: "done" }]);
  });
});
