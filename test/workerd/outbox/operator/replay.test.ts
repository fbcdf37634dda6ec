import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { generic } from "../../../../src/handlers/generic.ts";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { createAdmin } from "../../../../src/routes/admin.ts";
import { toPlannedWebhook } from "../../../../src/routes/plan-deliveries.ts";
import { type Link, rules } from "../../../../src/rules/types.ts";
import type { Source } from "../../../../src/sources.ts";
import type { Handler } from "../../../../src/webhook.ts";
import { failure } from "../service.ts";
import { createBench, event, mail } from "../setup.ts";

type Paid = { type: "paid"; data: { email: string; amount: number | null; token?: string; at?: string } };
type Which = {
  plan?: boolean;
  remove?: boolean;
  mail?: (e: Paid) => string;
  event?: boolean;
  urgent?: boolean;
  link?: () => readonly Link[];
};

const sourceOf = ({ plan, remove, mail, event, urgent, link }: Which, more: object = {}): Source => ({
  secret: "S",
  testData: "deliver" as const,
  rules: rules(
    generic as Handler<Paid>,
    [
      ...(plan
        ? [
            {
              name: "plan",
              on: "paid" as const,
              contact: { email: (e: Paid) => e.data.email },
              update: { plan: "pro" },
            },
          ]
        : []),
      ...(remove
        ? [
            {
              name: "removal",
              on: "paid" as const,
              contact: { email: (e: Paid) => e.data.email },
              remove: "unsubscribe" as const,
            },
          ]
        : []),
      ...(event
        ? [
            {
              name: "event",
              on: "paid" as const,
              contact: { email: (e: Paid) => e.data.email },
              event: { name: "paid" },
            },
          ]
        : []),
      ...(mail
        ? [
            {
              name: "mail",
              on: "paid" as const,
              contact: { email: (e: Paid) => e.data.email },
              transactional: {
                template: "receipt",
                variables: { amount: mail },
                ...(urgent ? { urgent: { expires: "10m" } } : {}),
              },
            },
          ]
        : []),
    ],
    () => (link ? link() : []),
  ),
  ...more,
});

const throws = (e: Paid) => `$${(e.data.amount as number).toFixed(2)}`;
const fixed = (e: Paid) => `$${(e.data.amount ?? 0).toFixed(2)}`;

let events = 0;
const world = async (first: Source) => {
  const bench = await createBench();
  const sources: Record<string, Source> = { shop: first };
  const env = {
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    OUTBOX: { getByName: () => bench.stub() },
  } as unknown as Env;
  const routes = () => createAdmin(sources);
  const post = async (
    data: Partial<Paid["data"]> = {},
    more: { digest?: boolean; test?: boolean; paths?: string[] } = {},
  ): Promise<string> => {
    const id = more.digest ? "a".repeat(64) : `evt_replay_${++events}`;
    const json: Paid = { type: "paid", data: { email: "ada@example.com", amount: 49, ...data } };
    const at = bench.service.now();
    const envelope = { id, type: "paid", occurredAt: at, body: json, ...more };
    const webhook = await toPlannedWebhook("shop", sources.shop as Source, JSON.stringify(json), envelope, 1, at);
    const receipt = await bench.accept({ ...webhook, secretPaths: more.paths ?? [] });
    return receipt.id;
  };
  return {
    ...bench,
    post,
    send: async (...webhook: Parameters<typeof post>): Promise<string> => {
      const id = await post(...webhook);
      await bench.deliveries(id);
      return id;
    },
    deploy: (source: Source) => Object.assign(sources, { shop: source }),
    replay: async (body: object, id?: string) => {
      const path = id === undefined ? "/replay" : `/webhooks/${id}/replay`;
      const response = await routes().request(
        path,
        {
          method: "POST",
          headers: { Authorization: "Bearer an-admin-token-of-the-tests" },
          body: JSON.stringify(body),
        },
        env,
      );
      return (await response.json()) as Record<string, unknown>;
    },
    mails: () => bench.service.acted.filter(({ path }) => path === "/v1/transactional"),
  };
};

describe("replay of a rule that threw", () => {
  it("sends exactly one mail once the rule is fixed and mail is asked for, however often it is replayed", async () => {
    const { deliveries, deploy, mails, replay, send, webhook } = await world(sourceOf({ mail: throws }));
    const id = await send({ amount: null });
    expect(await webhook(id)).toMatchObject({ deliveries: [], outcomes: [{ rule: "mail", outcome: "failed" }] });
    deploy(sourceOf({ mail: fixed }));

    const dry = await replay({ actions: ["transactional"] }, id);
    expect(dry).toMatchObject({
      dryRun: true,
      webhooks: 1,
      deliveries: 1,
      byAction: { transactional: 1 },
      byRule: { mail: 1 },
      next: null,
      examples: [{ webhook: id, rule: "mail", what: 'the mail "receipt"', whom: "ada@example.com" }],
    });
    expect((await webhook(id)).deliveries).toEqual([]);

    expect(await replay({ dryRun: false }, id)).toMatchObject({ deliveries: 0, notMade: { "not asked for": 1 } });
    expect(mails()).toHaveLength(0);

    expect(await replay({ dryRun: false, actions: ["transactional"] }, id)).toMatchObject({
      dryRun: false,
      deliveries: 1,
    });
    expect(await deliveries(id)).toMatchObject([
      { state: "done", lane: "backfill", replay: 2, key: expect.any(String) },
    ]);
    for (let n = 0; n < 3; n++) {
      expect(await replay({ dryRun: false, actions: ["transactional", "contact"] }, id)).toMatchObject({
        deliveries: 0,
        notMade: { "sent already": 1 },
      });
    }
    expect(mails()).toMatchObject([{ body: { email: "ada@example.com", dataVariables: { amount: "$0.00" } } }]);
    expect((await webhook(id)).outcomes).toMatchObject([
      { rule: "mail", outcome: "failed" },
      { rule: "mail", outcome: "matched", replay: 1 },
    ]);
  });

  it("uses the door's idempotency key, or a key of its own where the event id is a digest that may repeat", async () => {
    const { deliveries, deploy, service, replay, send, webhook } = await world(sourceOf({ mail: throws }));
    const id = await send({ amount: null });
    const digest = await send({ amount: null }, { digest: true });
    service.offset = 25 * 3_600_000;
    const later = await send({ amount: null }, { digest: true });
    const now = sourceOf({ mail: fixed });
    deploy(now);
    await replay({ dryRun: false, actions: ["transactional"] });
    const keys = [];
    for (const one of [id, digest, later]) keys.push((await deliveries(one))[0]?.key);
    expect(new Set(keys).size).toBe(3);
    const { eventId, occurredAt, body } = await webhook(id);
    const envelope = { id: eventId, type: "paid", occurredAt, body: JSON.parse(body) };
    const atTheDoor = await toPlannedWebhook("shop", now, body, envelope, 1, occurredAt);
    expect(keys[0]).toBe(atTheDoor.deliveries[0]?.key);
  });

  it("learns links that failed at the time, and sends deliveries that waited for them", async () => {
    const broken = () => {
      throw new Error("no links");
    };
    const tells = () => [{ ref: "cus_1", email: "ada@example.com" }];
    const { accept, deliveries, deploy, replay, send, webhook } = await world(sourceOf({ link: broken }));
    const id = await send();
    expect((await webhook(id)).outcomes).toMatchObject([{ rule: "links", outcome: "failed", message: "no links" }]);
    const waits = await accept({ deliveries: [event({ ref: "shop:cus_1" })] });
    expect(await deliveries(waits.id, () => true)).toMatchObject([{ state: "waiting" }]);
    deploy(sourceOf({ link: tells }));
    await replay({ dryRun: true }, id);
    await replay({ dryRun: false }, id);
    expect(await deliveries(waits.id)).toMatchObject([{ state: "done" }]);
  });

  it("of a removal stops mail of earlier webhooks at once, as its acceptance would have", async () => {
    const { accept, deliveries, deploy, service, mails, post, replay, stub } = await world(sourceOf({}));
    await stub().pause(undefined, true);
    const earlier = await accept({
      occurredAt: service.now() - 1_000,
      deliveries: [mail({ email: "ada@example.com" })],
    });
    const id = await post();
    deploy(sourceOf({ remove: true }));
    await replay({ dryRun: false }, id);
    await stub().pause(undefined, false);
    expect(await deliveries(earlier.id)).toMatchObject([{ state: "skipped" }]);
    expect(mails()).toEqual([]);
  });
});

describe("replay of a day", () => {
  it("without sends asked for repeats contact updates only, and sends no mail and no event", async () => {
    const all = { plan: true, event: true, mail: fixed };
    const { deliveries, service, mails, replay, send, webhook } = await world(sourceOf(all));
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await send({ email: `p${n}@example.com` }));
    const before = mails().length;
    const sent = service.acted.filter(({ path }) => path === "/v1/events/send").length;
    expect(await replay({ since: "1d", dryRun: false })).toMatchObject({
      webhooks: 5,
      deliveries: 5,
      byAction: { contact: 5 },
      notMade: { "sent already": 10 },
    });
    for (const id of ids) await deliveries(id);
    expect([before, mails().length]).toEqual([5, 5]);
    expect(service.acted.filter(({ path }) => path === "/v1/events/send")).toHaveLength(sent);
    expect(await replay({ dryRun: false, actions: ["contact", "event", "transactional"] })).toMatchObject({
      deliveries: 5,
    });
    for (const id of ids) expect(await deliveries(id)).toHaveLength(5);
    expect(mails()).toHaveLength(5);
    expect((await webhook(ids[0] as string)).outcomes).toHaveLength(3);
  });

  it("never writes an older value over a newer one", async () => {
    const { deliveries, deploy, service, replay, send } = await world(sourceOf({ plan: true }));
    const old = await send();
    service.offset = 60_000;
    await send();
    expect(service.acted).toHaveLength(2);
    deploy(sourceOf({ plan: true }));
    await replay({ dryRun: false }, old);
    expect(await deliveries(old)).toMatchObject([{ state: "done" }, { state: "replaced", replay: 1 }]);
    expect(service.acted).toHaveLength(2);
  });

  it("goes on from page to page, oldest first", async () => {
    const { acceptAll, replay } = await world(sourceOf({ plan: true }));
    const raw = JSON.stringify({ type: "paid", data: { email: "ada@example.com", amount: 1 } });
    for (let n = 0; n < 5; n++) {
      await acceptAll(Array.from({ length: 90 }, () => ({ source: "shop", type: "paid", raw })));
    }
    let webhooks = 0;
    let deliveries = 0;
    let cursor: unknown;
    for (let n = 0; n < 5; n++) {
      const page = await replay(cursor === undefined ? {} : { cursor });
      webhooks += page.webhooks as number;
      deliveries += page.deliveries as number;
      cursor = page.next;
      if (cursor === null) break;
    }
    expect({ webhooks, deliveries, cursor }).toEqual({ webhooks: 450, deliveries: 450, cursor: null });
  });
});

describe("replay", () => {
  it("replaces a failed delivery with a delivery of today's rule", async () => {
    const { deliveries, deploy, service, mails, replay, send, stub } = await world(sourceOf({ mail: () => "" }));
    service.before = () => failure(400, "Missing required data variable(s): amount");
    const id = await send();
    service.before = () => undefined;
    deploy(sourceOf({ mail: fixed }));
    await replay({ dryRun: false, actions: ["transactional"] }, id);
    expect(await deliveries(id)).toMatchObject([
      { state: "replaced", message: `A replay made it again as ${id}.1.`, acts: [{ act: "replay", state: "failed" }] },
      { state: "done", replay: 1, dataVariables: { amount: "$49.00" } },
    ]);
    const [first, second] = await deliveries(id);
    expect(second?.key).toBe(first?.key);
    expect(mails()).toHaveLength(1);
    expect(await stub().retry({ seq: seqOf(id) as number, index: 0 })).toMatchObject({
      refusal: { code: "not_retryable" },
    });
  });

  it("makes no delivery that waits, was discarded, may have been sent, or has expired", async () => {
    const { accept, ask, deliveries, crash, deploy, service, post, replay, send, stub, waitFor } = await world(
      sourceOf({ mail: fixed }),
    );
    service.before = () => failure(400, "no");
    const discarded = await send();
    await stub().discard({ seq: seqOf(discarded) as number, index: 0 });
    service.before = () => failure(500, "down");
    await post();
    await waitFor(() => expect(service.received.length).toBeGreaterThanOrEqual(2));
    const all = { actions: ["transactional"] };
    expect(await replay(all)).toMatchObject({
      deliveries: 0,
      notMade: { "discarded by a person": 1, "waiting already": 1 },
    });
    service.offset = 24 * 3_600_000;
    await crash();
    await accept({ source: "other" });
    await waitFor(async () => {
      const found = await ask((outbox) => outbox.searchDeliveries({ states: ["undecided"] }, { limit: 10 }));
      expect(found.deliveries).toHaveLength(1);
    });
    expect(await replay(all)).toMatchObject({
      deliveries: 0,
      notMade: { "discarded by a person": 1, "may have been sent": 1 },
    });
    service.before = () => undefined;
    deploy(sourceOf({ plan: true }));
    const late = await send();
    deploy(sourceOf({ plan: true, mail: fixed, urgent: true }));
    service.offset += 11 * 60_000;
    expect(await replay(all, late)).toMatchObject({ deliveries: 0, notMade: { expired: 1, "not asked for": 1 } });
    expect(await deliveries(late)).toHaveLength(1);
  });

  it("uses the key of the operator's last send-again, so that a delivery that landed unseen is not sent twice", async () => {
    const { deliveries, service, mails, replay, send, stub, waitFor } = await world(sourceOf({ mail: fixed }));
    service.before = () => failure(400, "no such template");
    const id = await send();
    service.before = () => undefined;
    service.after = () => failure(502, "bad gateway");
    await stub().sendAgain({ seq: seqOf(id) as number, index: 0 }, true, "again_1");
    await waitFor(() => expect(mails()).toHaveLength(1));
    service.before = () => failure(400, "gone");
    await deliveries(id);
    expect(await deliveries(id)).toMatchObject([{ state: "failed", key: "again_1", unknownSince: expect.any(Number) }]);
    service.before = () => undefined;
    service.after = () => undefined;
    expect(await replay({ dryRun: false, actions: ["transactional"] }, id)).toMatchObject({ deliveries: 1 });
    expect(await deliveries(id)).toMatchObject([{ state: "replaced" }, { state: "done", key: "again_1" }]);
    expect(mails().map(({ key }) => key)).toEqual(["again_1"]);
  });

  it("of a webhook without an id uses the door's key, so that a delivery that landed unseen is not repeated", async () => {
    const { deliveries, service, replay, send } = await world(sourceOf({ event: true }));
    let attemptCount = 0;
    service.before = () => (++attemptCount > 1 ? failure(413, "too large") : undefined);
    service.after = () => failure(502, "bad gateway");
    const id = await send({}, { digest: true });
    const [first] = await deliveries(id);
    expect(first).toMatchObject({ state: "failed", unknownSince: expect.any(Number) });
    service.before = () => undefined;
    service.after = () => undefined;
    expect(await replay({ dryRun: false, actions: ["event"] }, id)).toMatchObject({ deliveries: 1 });
    expect(await deliveries(id)).toMatchObject([{ state: "replaced" }, { state: "done", key: first?.key }]);
    expect(service.acted).toHaveLength(1);
  });

  it("leaves out a delivery that was sent, or may have been, before an operator sent it again", async () => {
    const { deliveries, service, mails, replay, send, stub } = await world(sourceOf({ mail: fixed }));
    const id = await send();
    const ref = { seq: seqOf(id) as number, index: 0 };
    service.before = () => failure(400, "no");
    await stub().sendAgain(ref, true, "again_1");
    expect(await deliveries(id)).toMatchObject([{ state: "failed", key: "again_1" }]);
    let attemptCount = 0;
    service.before = () => (++attemptCount > 1 ? failure(400, "no") : undefined);
    service.after = () => failure(502, "bad gateway");
    const other = await send();
    await stub().sendAgain({ seq: seqOf(other) as number, index: 0 }, true, "again_2");
    expect(await deliveries(other)).toMatchObject([{ state: "failed", key: "again_2" }]);
    service.before = () => undefined;
    expect(await replay({ dryRun: false, actions: ["transactional"] })).toMatchObject({
      deliveries: 0,
      notMade: { "sent already": 1, "may have been sent": 1 },
    });
    expect(mails()).toHaveLength(2);
  });

  it("leaves out a delivery that may have been sent with an older key", async () => {
    const { deliveries, service, mails, replay, send, stub } = await world(sourceOf({ mail: fixed }));
    let attemptCount = 0;
    service.before = () => (++attemptCount > 1 ? failure(400, "no") : undefined);
    service.after = () => failure(502, "bad gateway");
    const id = await send();
    await replay({ dryRun: false, actions: ["transactional"] }, id);
    await deliveries(id);
    await stub().sendAgain({ seq: seqOf(id) as number, index: 1 }, true, "again_1");
    expect(await deliveries(id)).toMatchObject([{ state: "replaced" }, { state: "failed", key: "again_1" }]);
    service.before = () => undefined;
    expect(await replay({ dryRun: false, actions: ["transactional"] }, id)).toMatchObject({
      deliveries: 0,
      notMade: { "may have been sent": 1 },
    });
    expect(mails()).toHaveLength(1);
  });

  it("sends nothing for test data, plan-only mode, or a delivery whose one-time secret is erased", async () => {
    const token = (e: Paid) => `https://x.test/?t=${encodeURIComponent(e.data.token ?? "")}`;
    const { deploy, mails, replay, send } = await world(sourceOf({ plan: true }));
    await send({}, { test: true });
    deploy(sourceOf({ mail: fixed }, { testData: undefined }));
    expect(await replay({ actions: ["transactional"] })).toMatchObject({
      deliveries: 0,
      notMade: { "test data or plan only": 1 },
    });
    deploy(sourceOf({ plan: true }));
    const secret = await send({ token: "tok_305805" }, { paths: ["data.token"] });
    deploy(sourceOf({ mail: token }));
    const again = await replay({ dryRun: false, actions: ["transactional"] }, secret);
    expect(again).toMatchObject({ deliveries: 0, notMade: { erased: 1 } });
    expect(mails()).toHaveLength(0);
  });

  it("makes no mail and no event for webhooks of a backfill, because they did not happen now", async () => {
    const { acceptAll, replay } = await world(sourceOf({ plan: true, mail: fixed, event: true }));
    const raw = JSON.stringify({ type: "paid", data: { email: "ada@example.com", amount: 1 } });
    await acceptAll([
      { source: "shop", type: "paid", raw, eventId: "backfill:cus_1:1" },
      { source: "shop", type: "paid", raw, eventId: "backfill:cus_1:1:events" },
    ]);
    expect(await replay({ actions: ["contact", "event", "transactional"] })).toMatchObject({
      byAction: { contact: 2, event: 1 },
      notMade: { "from a backfill": 3 },
    });
  });

  it("is refused while the backlog could cause refusals of live webhooks; a dry run is not", async () => {
    const { acceptAll, replay, stub } = await world(sourceOf({ plan: true }));
    await stub().pause(undefined, true);
    for (let n = 0; n < 20; n++) {
      const deliveries = Array.from({ length: 1_000 }, () => event({ email: "ada@example.com" }));
      await acceptAll([{ source: "shop", type: "paid", raw: '{"data":{"email":"ada@example.com"}}', deliveries }]);
    }
    expect(await replay({ dryRun: false })).toMatchObject({ code: "overloaded" });
    expect(await replay({})).toMatchObject({ deliveries: 20 });
    expect(await stub().retryAll({}, undefined, false)).toMatchObject({ overload: { retryAfter: 60 } });
  }, 30_000);

  it("is not refused because of deliveries that wait for an identity link: it may bring that link", async () => {
    const { acceptAll, replay, stub } = await world(sourceOf({ plan: true }));
    for (let n = 0; n < 20; n++) {
      const deliveries = Array.from({ length: 1_000 }, () => event({ ref: "shop:1" }));
      await acceptAll([{ source: "shop", type: "paid", raw: '{"data":{"email":"ada@example.com"}}', deliveries }]);
    }
    expect(await stub().status()).toMatchObject({ waiting: 20_000, forIdentity: 20_000 });
    expect(await replay({ dryRun: false })).toMatchObject({ deliveries: 20 });
  }, 30_000);

  it("counts webhooks whose body is gone as not replayable, with the reason", async () => {
    const { replay, send, stub } = await world(sourceOf({ plan: true }));
    const id = await send();
    await stub().erase({ email: "ada@example.com" });
    expect(await replay({ dryRun: false })).toMatchObject({ webhooks: 1, deliveries: 0, notReplayable: { erased: 1 } });
    expect(await replay({ dryRun: false }, id)).toMatchObject({ notReplayable: { erased: 1 } });
  });

  it("reports rules that still throw, and webhooks that do not exist", async () => {
    const { replay, send } = await world(sourceOf({ mail: throws }));
    const id = await send({ amount: null });
    expect(await replay({}, id)).toMatchObject({ deliveries: 0, failed: [{ webhook: id, rule: "mail" }] });
    expect(await replay({}, "wh_1")).toMatchObject({ code: "not_found" });
  });
});
