import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { listHandlers } from "../../scripts/providers/list.ts";
import { type Env, secretsIn } from "../../src/env.ts";
import { digest } from "../../src/lib/hmac.ts";
import type { Accepted } from "../../src/outbox/types.ts";
import { hooksOf } from "../../src/routes/hooks.ts";
import type { Source } from "../../src/sources.ts";
import { vectors } from "../vectors.ts";
import { certificateOf, rsa, snsMessage } from "./oracles/oracle.ts";

const NOW = 1_760_000_000_000;
const handlers = await listHandlers();
vi.spyOn(console, "log").mockImplementation(() => {});

/** The door to one source of a provider, over an Outbox that takes everything. */
const doorTo = (
  provider: string,
  secret: string,
  more: { tolerance?: number; texts?: Record<string, string> } = {},
) => {
  const handler = handlers[provider];
  if (!handler) throw new Error(`no handler ${provider}`);
  const { tolerance, texts = {} } = more;
  const source: Source = { handler, secret: "SECRET", ...(tolerance === undefined ? {} : { tolerance }) };
  const batches: Accepted[][] = [];
  const fetched: string[] = [];
  const accept = async (webhooks: Accepted[]) => {
    batches.push(webhooks);
    return webhooks.map((_, i) => ({ id: `wh_${i + 1}`, duplicate: i > 0, calls: i }));
  };
  const env = { SECRET: secret, OUTBOX: { getByName: () => ({ accept }) } } as unknown as Env;
  const hooks = hooksOf(
    { source },
    {
      now: () => NOW,
      urlOf: ({ url }) => url,
      fetch: async (url) => {
        fetched.push(url);
        return new Response(texts[url] ?? "", { status: texts[url] === undefined ? 404 : 200 });
      },
    },
  );
  const send = async (raw: string, headers: Record<string, string> = {}, { method = "POST", path = "" } = {}) => {
    const init = { method, headers, ...(method === "POST" ? { body: raw } : {}) };
    const response = await hooks.request(`/source${path}`, init, env);
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get("Content-Type"),
      response,
    };
  };
  return { send, batches, fetched };
};
const bearer = { authorization: "Bearer s3cret" };
const ids = (batch: readonly Accepted[] | undefined) =>
  batch?.map(({ eventId, type, occurredAt }) => [eventId, type, occurredAt]);

describe("a request with several webhooks", () => {
  test("is handed over in one call, each with an id of its own, and answered for each", async () => {
    const { send, batches } = doorTo("okta", "s3cret");
    const event = (uuid: string) => ({ uuid, eventType: "user.session.start", published: "2025-10-09T08:53:20.123Z" });
    const { status, text } = await send(JSON.stringify({ data: { events: [event("a"), event("b")] } }), bearer);
    expect([status, JSON.parse(text)]).toEqual([
      202,
      {
        ...{ id: "wh_1", duplicate: false, calls: 1 },
        webhooks: [
          { id: "wh_1", duplicate: false, calls: 0 },
          { id: "wh_2", duplicate: true, calls: 1 },
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

  test("items without an id have a digest of the item, the same when the batch comes again in another order", async () => {
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

  test("an empty batch is nothing to do", async () => {
    const { send, batches } = doorTo("segment", "s3cret");
    expect(await send("[]", bearer)).toMatchObject({ status: 202, text: '{"duplicate":true,"calls":0,"webhooks":[]}' });
    expect(batches).toEqual([]);
  });

  test("Segment signs only the first of a batch: that is not enough", async () => {
    const { send } = doorTo("segment", "s3cret");
    const item = { type: "identify", userId: "a" };
    const signature = createHmac("sha1", "s3cret").update(JSON.stringify(item)).digest("hex");
    expect((await send(JSON.stringify(item), { "x-signature": signature })).status).toBe(202);
    expect((await send(JSON.stringify([item, { type: "x" }]), { "x-signature": signature })).status).toBe(401);
  });
});

describe("questions whether somebody is there", () => {
  const slack = (raw: string) => ({
    "x-slack-request-timestamp": String(NOW / 1000),
    "x-slack-signature": `v0=${createHmac("sha256", "s")
      .update(`v0:${NOW / 1000}:${raw}`)
      .digest("hex")}`,
  });

  test("Slack's challenge is said back once the signature is good, and journalled never", async () => {
    const { send, batches } = doorTo("slack", "s");
    const raw = '{"type":"url_verification","challenge":"3eZbrw1aB","token":"t"}';
    expect(await send(raw, slack(raw))).toMatchObject({ status: 200, text: "3eZbrw1aB", type: "text/plain" });
    expect((await send(raw, slack("{}"))).status).toBe(401);
    expect(batches).toEqual([]);
  });

  test("Slack's events, commands and interactions are read; the answer says nothing", async () => {
    const { send, batches } = doorTo("slack", "s");
    const bodies = [
      '{"type":"event_callback","event_id":"Ev1","event_time":1760000000,"event":{"type":"team_join"}}',
      "command=%2Fhelp&trigger_id=1.2&user_id=U1",
      `payload=${encodeURIComponent('{"type":"block_actions","trigger_id":"3.4"}')}`,
    ];
    for (const raw of bodies) expect(await send(raw, slack(raw))).toMatchObject({ status: 200, text: "" });
    expect(batches.flatMap((batch) => batch.map(({ eventId, type }) => [eventId, type]))).toEqual([
      ["Ev1", "team_join"],
      ["1.2", "command./help"],
      ["3.4", "block_actions"],
    ]);
  });

  test("Okta's GET is answered with its challenge, and any other GET is not allowed", async () => {
    const { send, batches } = doorTo("okta", "s3cret");
    const asked = await send("", { "x-okta-verification-challenge": "abc" }, { method: "GET" });
    expect(asked).toMatchObject({ status: 200, text: '{"verification":"abc"}', type: "application/json" });
    const plain = await send("", {}, { method: "GET" });
    expect([plain.status, plain.response.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    expect(
      (await doorTo("okta", "").send("", { "x-okta-verification-challenge": "abc" }, { method: "GET" })).status,
    ).toBe(401);
    expect((await doorTo("github", "s").send("", {}, { method: "GET" })).status).toBe(405);
    expect(batches).toEqual([]);
  });

  test("Braintree's challenge is signed, and nothing that is none", async () => {
    const { send } = doorTo("braintree", "integration_public_key:integration_private_key");
    const ask = (challenge: string) => send("", {}, { method: "GET", path: `?bt_challenge=${challenge}` });
    expect(await ask("20f9f8ed05f77439fe955c977e4c8a53")).toMatchObject({
      status: 200,
      text: "integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4",
    });
    for (const other of ["", "<script>", "PG5vdGlmaWNhdGlvbj4", "ab", "f".repeat(33)])
      expect((await ask(other)).status).toBe(405);
  });

  describe("Amazon SNS", () => {
    const cert = "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-test.pem";
    const visit = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    const texts = { [cert]: certificateOf(rsa.publicKey), [visit]: "<ok/>" };
    const arn = snsMessage().TopicArn ?? "";
    const confirmation = (url: string) =>
      JSON.stringify(snsMessage({ Type: "SubscriptionConfirmation", SubscribeURL: url, Token: "t" }, "1"));

    test("a subscription to our topic is confirmed and journalled", async () => {
      const { send, batches, fetched } = doorTo("aws-sns", arn, { texts });
      expect((await send(confirmation(visit))).status).toBe(202);
      expect(fetched).toEqual([cert, visit]);
      expect(batches[0]?.[0]).toMatchObject({
        type: "SubscriptionConfirmation",
        secretPaths: ["Token", "SubscribeURL"],
      });
    });

    test("one that cannot be confirmed, or not at SNS, is not, and SNS comes again", async () => {
      const { send, batches, fetched } = doorTo("aws-sns", arn, { texts });
      for (const url of [
        "https://sns.eu-central-1.amazonaws.com/gone",
        "https://sns.eu-central-1.amazonaws.com.evil.test/",
        "http://localhost/",
      ]) {
        expect((await send(confirmation(url))).status).toBe(503);
      }
      expect(fetched).toEqual([cert, "https://sns.eu-central-1.amazonaws.com/gone"]);
      expect(batches).toEqual([]);
    });

    test("another's topic, and a certificate from elsewhere, are refused and nothing is fetched", async () => {
      const { send, fetched } = doorTo("aws-sns", "arn:aws:sns:eu-central-1:1:other", { texts });
      expect((await send(JSON.stringify(snsMessage()))).status).toBe(401);
      const ours = doorTo("aws-sns", arn, { texts });
      for (const SigningCertURL of [
        "https://evil.test/sns.pem",
        `${cert}?x`,
        "https://sns.evil.test/a.pem",
        "https://sns.x.amazonaws.com@evil.test/a.pem",
      ]) {
        expect((await ours.send(JSON.stringify(snsMessage({ SigningCertURL })))).status).toBe(401);
      }
      expect([...fetched, ...ours.fetched]).toEqual([]);
    });

    test("the certificate is fetched once; while it cannot be, SNS comes again", async () => {
      const { send, fetched } = doorTo("aws-sns", arn, { texts });
      for (let n = 0; n < 3; n++) expect((await send(JSON.stringify(snsMessage()))).status).toBe(202);
      expect(fetched).toEqual([cert]);
      const down = await doorTo("aws-sns", arn).send(JSON.stringify(snsMessage()));
      expect([down.status, down.response.headers.get("Retry-After")]).toEqual([503, "5"]);
    });
  });
});

describe("answers of providers' own", () => {
  test.each([
    ["discord", 204, ""],
    ["revenuecat", 200, '{"id":"wh_1","duplicate":false,"calls":0}'],
    ["mailgun", 200, '{"id":"wh_1","duplicate":false,"calls":0}'],
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

  test("Discord's interactions are refused: they need an answer of their own", async () => {
    await expect(
      handlers.discord?.read({ method: "POST", url: "", headers: new Headers(), raw: "" }, { type: 2, id: "1" }, NOW),
    ).rejects.toThrow("an interaction needs an answer");
  });
});

describe("secrets", () => {
  test("that providers make are separated by spaces or |; those people make up are not", () => {
    expect(secretsIn(" a  b|c ", false)).toEqual(["a", "b", "c"]);
    expect(secretsIn(" It's a secret | to all ", true)).toEqual(["It's a secret | to all"]);
    expect(secretsIn('["old one","new one",""]', true)).toEqual(["old one", "new one"]);
    expect(secretsIn("[not a list", true)).toEqual(["[not a list"]);
    expect([secretsIn(" ", true), secretsIn("", false)]).toEqual([[], []]);
  });

  test("a word of a phrase is not a secret", async () => {
    const signature = (secret: string) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update("{}").digest("hex")}`,
      "x-github-event": "ping",
    });
    const { send } = doorTo("github", "It's a Secret to Everybody");
    expect((await send("{}", signature("It's a Secret to Everybody"))).status).toBe(202);
    for (const word of ["a", "Secret", "Everybody"]) expect((await send("{}", signature(word))).status).toBe(401);
  });

  test("a secret in the path is taken only where the provider can do nothing else", async () => {
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

test("every provider refuses everything without a secret, loudly", async () => {
  for (const { provider, headers, rawBody } of vectors) {
    const { status, text } = await doorTo(provider, " ").send(rawBody, headers);
    expect([provider, status, text]).toEqual([provider, 401, expect.stringContaining("set SECRET")]);
  }
});
