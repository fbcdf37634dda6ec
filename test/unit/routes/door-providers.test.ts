import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { secretsIn } from "../../../src/lib/signature/secrets.ts";
import { digest } from "../../../src/lib/util/hmac.ts";
import type { PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";
import { vectors } from "../../vectors.ts";
import { doorTo, handlers, NOW } from "./door-to.ts";

const bearer = { authorization: "Bearer s3cret" };
const ids = (batch: readonly PlannedWebhook[] | undefined) =>
  batch?.map(({ eventId, type, occurredAt }) => [eventId, type, occurredAt]);

describe("a request with several webhooks", () => {
  test("passes all of them to the Outbox in one delivery, each with its own id, and the answer has a receipt for each", async () => {
    const { send, batches } = doorTo("okta", "s3cret");
    const event = (uuid: string) => ({ uuid, eventType: "user.session.start", published: "2025-10-09T08:53:20.123Z" });
    const { status, text } = await send(JSON.stringify({ data: { events: [event("a"), event("b")] } }), bearer);
    expect([status, JSON.parse(text)]).toEqual([
      202,
      {
        id: "wh_1",
        duplicate: false,
        deliveries: 1,
        webhooks: [
          { id: "wh_1", duplicate: false, deliveries: 0 },
          { id: "wh_2", duplicate: true, deliveries: 1 },
        ],
      },
    ]);
    expect(batches.map(ids)).toEqual([
      [
        ["a", "user.session.start", NOW + 123],
        ["b", "user.session.start", NOW + 123],
      ],
    ]);
    expect(JSON.parse(batches[0]?.[1]?.raw ?? "")).toEqual({ ...event("b"), type: "user.session.start" });
  });

  test.each([
    [
      "segment",
      { messageId: "1", type: "track", event: "Paid", timestamp: "2025-10-09T08:53:20Z" },
      ["1", "track.Paid"],
    ],
    ["auth0-logs", { log_id: "9", data: { type: "ss", date: "2025-10-09T08:53:20Z" } }, ["9", "ss"]],
  ])("%s: as a list, as lines where it sends them, and alone", async (provider, item, [id, type]) => {
    const { send, batches } = doorTo(provider, "s3cret");
    await send(JSON.stringify([item]), bearer);
    await send(JSON.stringify(item), bearer);
    if (provider === "auth0-logs") await send(`${JSON.stringify(item)}\n${JSON.stringify(item)}\n`, bearer);
    expect(batches.flatMap(ids)).toEqual(Array(provider === "segment" ? 2 : 4).fill([id, type, NOW]));
  });

  test("items without an id get a digest as id, which is the same when the batch comes again in another order", async () => {
    const { send, batches } = doorTo("segment", "s3cret");
    const [a, b] = [
      { type: "identify", userId: "a" },
      { type: "identify", userId: "b" },
    ];
    await send(JSON.stringify([a, b]), bearer);
    await send(JSON.stringify([b, a]), bearer);
    const [first, second] = batches.map((batch) => batch.map(({ eventId }) => eventId));
    expect(first).toEqual([await digest(JSON.stringify(a)), await digest(JSON.stringify(b))]);
    expect(second).toEqual([...(first ?? [])].reverse());
    expect(batches.flat().every((webhook) => webhook.digest)).toBe(true);
  });

  test("an empty batch makes no delivery to the Outbox", async () => {
    const { send, batches } = doorTo("segment", "s3cret");
    expect(await send("[]", bearer)).toMatchObject({
      status: 202,
      text: '{"duplicate":true,"deliveries":0,"webhooks":[]}',
    });
    expect(batches).toEqual([]);
  });

  test("a Segment batch is refused, because Segment signs only its first item", async () => {
    const { send } = doorTo("segment", "s3cret");
    const item = { type: "identify", userId: "a" };
    const signature = createHmac("sha1", "s3cret").update(JSON.stringify(item)).digest("hex");
    expect((await send(JSON.stringify(item), { "x-signature": signature })).status).toBe(202);
    expect((await send(JSON.stringify([item, { type: "x" }]), { "x-signature": signature })).status).toBe(401);
  });
});

describe("answers that providers require", () => {
  test.each([
    ["discord", 204, ""],
    ["revenuecat", 200, '{"id":"wh_1","duplicate":false,"deliveries":0}'],
    ["mailgun", 200, '{"id":"wh_1","duplicate":false,"deliveries":0}'],
    ["twilio", 204, ""],
  ])("%s: %i", async (provider, status, text) => {
    const vector = vectors
      .filter((each) => each.provider === provider && each.valid)
      .find(({ name }) => !/PING|url|JSON|form|duplicate/i.test(name));
    const form = { raw: "MessageSid=SM1&MessageStatus=sent", url: "http://localhost/source" };
    const signature = createHmac("sha1", "12345").update(`${form.url}MessageSidSM1MessageStatussent`).digest("base64");
    const { send, batches } = doorTo(provider, vector?.secret ?? "12345");
    const answer = vector
      ? await send(vector.rawBody, vector.headers)
      : await send(form.raw, { "x-twilio-signature": signature });
    expect(answer).toMatchObject({ status, text });
    expect(batches).toHaveLength(1);
  });

  test("Discord's interactions are refused, because they need a special answer", async () => {
    await expect(
      handlers.discord?.read({ method: "POST", url: "", headers: new Headers(), raw: "" }, { type: 2, id: "1" }, NOW),
    ).rejects.toThrow("an interaction needs an answer");
  });
});

test("WooCommerce's unsigned ping is answered with 200 and nothing else, and only where the source has a secret", async () => {
  const { send, batches } = doorTo("woocommerce", "hush hush");
  expect(await send("webhook_id=5", {})).toMatchObject({ status: 200, text: "" });
  for (const raw of ["webhook_id=5&x=1", "webhook_id=", '{"webhook_id":5}'])
    expect((await send(raw, {})).status).toBe(401);
  expect((await send("webhook_id=5", { "x-wc-webhook-signature": "AAAA" })).status).toBe(401);
  expect((await doorTo("woocommerce", "").send("webhook_id=5", {})).status).toBe(401);
  expect(batches).toEqual([]);
});

describe("secrets", () => {
  test("made by providers are separated by spaces or |; secrets chosen by people are not", () => {
    expect(secretsIn(" a  b|c ", false)).toEqual(["a", "b", "c"]);
    expect(secretsIn(" It's a secret | to all ", true)).toEqual(["It's a secret | to all"]);
    expect(secretsIn('["old one","new one",""]', true)).toEqual(["old one", "new one"]);
    expect(secretsIn("[not a list", true)).toEqual(["[not a list"]);
    expect([secretsIn(" ", true), secretsIn("", false)]).toEqual([[], []]);
  });

  test("a single word of a phrase is not accepted as the secret", async () => {
    const signature = (secret: string) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update("{}").digest("hex")}`,
      "x-github-event": "ping",
    });
    const { send } = doorTo("github", "It's a Secret to Everybody");
    expect((await send("{}", signature("It's a Secret to Everybody"))).status).toBe(202);
    for (const word of ["a", "Secret", "Everybody"]) expect((await send("{}", signature(word))).status).toBe(401);
  });

  test("a secret in the path is accepted only for providers that can prove themselves in no other way", async () => {
    const sale =
      "sale_id=S1&resource_name=sale&email=a%40example.com&sale_timestamp=2025-10-09T08%3A53%3A20Z&test=true";
    const { send, batches } = doorTo("gumroad", "long-secret");
    expect((await send(sale, {}, { path: "/long-secret" })).status).toBe(202);
    expect(batches[0]?.[0]).toMatchObject({ eventId: "S1:sale", type: "sale", occurredAt: NOW, test: true });
    expect((await send(sale, {}, { path: "/long-secreT" })).status).toBe(401);
    expect((await send(sale)).status).toBe(401);
    expect((await doorTo("github", "s").send("{}", {}, { path: "/s" })).status).toBe(404);
    expect((await doorTo("generic-secret", "s").send("{}", {}, { path: "/s" })).status).toBe(404);
  });
});

test("two sources of one provider each accept only webhooks signed with their own secret", async () => {
  const raw = '{"id":"evt_1","object":"event","type":"customer.created","created":1760000000,"livemode":false}';
  const signature = (secret: string) => {
    const v1 = createHmac("sha256", secret)
      .update(`${NOW / 1000}.${raw}`)
      .digest("hex");
    return { "stripe-signature": `t=${NOW / 1000},v1=${v1}` };
  };
  const [eu, us] = [doorTo("stripe", "whsec_eu"), doorTo("stripe", "whsec_us")];
  expect([
    (await eu.send(raw, signature("whsec_eu"))).status,
    (await us.send(raw, signature("whsec_us"))).status,
  ]).toEqual([202, 202]);
  expect([
    (await eu.send(raw, signature("whsec_us"))).status,
    (await us.send(raw, signature("whsec_eu"))).status,
  ]).toEqual([401, 401]);
  expect(eu.batches[0]?.[0]?.test).toBe(true);
});

test("a request with too many webhooks is refused as too large", async () => {
  const { send, batches } = doorTo("segment", "s3cret");
  expect((await send(JSON.stringify(Array(5_001).fill({ type: "x" })), bearer)).status).toBe(413);
  expect((await send(JSON.stringify(Array(5_000).fill({ type: "x" })), bearer)).status).toBe(202);
  expect(batches[0]).toHaveLength(5_000);
});

test("a source may set its own tolerance", async () => {
  const header = (at: number) => ({
    "paddle-signature": `ts=${at};h1=${createHmac("sha256", "k").update(`${at}:${raw}`).digest("hex")}`,
  });
  const raw = '{"event_id":"evt_1","event_type":"customer.created"}';
  const at = NOW / 1000 - 60;
  expect((await doorTo("paddle", "k").send(raw, header(at))).status).toBe(202);
  expect((await doorTo("paddle", "k", { tolerance: 59 }).send(raw, header(at))).text).toContain("stale_timestamp");
  expect((await doorTo("paddle", "k", { tolerance: 60 }).send(raw, header(at))).status).toBe(202);
  expect((await doorTo("paddle", "k", { tolerance: 3_600 }).send(raw, header(NOW / 1000 - 3_600))).status).toBe(202);
});

test("without a secret, every provider refuses every request and names the missing secret", async () => {
  for (const { provider, headers, rawBody } of vectors) {
    const { status, text } = await doorTo(provider, " ").send(rawBody, headers);
    expect([provider, status, text]).toEqual([provider, 401, expect.stringContaining("set SECRET")]);
  }
});
