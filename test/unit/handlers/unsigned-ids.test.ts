import { describe, expect, it } from "vitest";
import { github } from "../../../src/handlers/github.ts";
import { linear } from "../../../src/handlers/linear.ts";
import { sentry } from "../../../src/handlers/sentry.ts";
import { shopify } from "../../../src/handlers/shopify.ts";
import { twilio } from "../../../src/handlers/twilio.ts";
import { parse } from "../../../src/lib/webhook/parse.ts";
import type { Handler } from "../../../src/webhook.ts";
import { requestOf } from "../signed.ts";

const NOW = 1_760_000_000_000;

const PROVIDERS: readonly [name: string, Handler, header: string, raw: string, headers: Record<string, string>][] = [
  ["github", github, "X-GitHub-Delivery", '{"action":"opened","issue":{"id":1}}', { "X-GitHub-Event": "issues" }],
  ["linear", linear, "Linear-Delivery", '{"type":"Issue","action":"create","webhookTimestamp":1}', {}],
  ["sentry", sentry, "Request-ID", '{"action":"created","data":{}}', { "Sentry-Hook-Resource": "issue" }],
  ["shopify", shopify, "X-Shopify-Webhook-Id", '{"id":1,"email":"a@b.co"}', { "X-Shopify-Topic": "orders/create" }],
  ["twilio", twilio, "I-Twilio-Idempotency-Token", "CallSid=CA1&CallStatus=completed&From=%2B1", {}],
];

const read = async (handler: Handler, raw: string, headers: Record<string, string>) => {
  const request = requestOf({ headers: new Headers(headers), raw });
  return handler.read(request, parse(raw, handler.format), NOW);
};

describe.each(PROVIDERS)("%s", (_, handler, header, raw, headers) => {
  it("has one digest for one signed body, whatever the unsigned id says, and also without it", async () => {
    const ids = [{ [header]: "one" }, { [header]: "two" }, {}];
    const envelopes = await Promise.all(ids.map((id) => read(handler, raw, { ...headers, ...id })));
    const [{ bodyDigest } = {}] = envelopes;
    expect(bodyDigest).toMatch(/^[0-9a-f]{32}$/);
    expect(envelopes.map(({ id }) => id)).toEqual([`${bodyDigest}.one`, `${bodyDigest}.two`, `${bodyDigest}.`]);
    expect(envelopes.map((envelope) => envelope.digest)).toEqual([undefined, undefined, undefined]);
  });

  it("has another digest for another body with the same id", async () => {
    const other = raw.startsWith("{") ? raw.replace("{", '{"more":1,') : `${raw}&More=1`;
    const [one, two] = [await read(handler, raw, headers), await read(handler, other, headers)];
    expect(one.bodyDigest).not.toBe(two.bodyDigest);
  });
});

it("a body that Shopify sends under two topics is two webhooks, one that GitHub signed is one under any event name", async () => {
  const raw = '{"id":1,"email":"a@b.co"}';
  const digestOf = async (handler: Handler, name: string, value: string) =>
    (await read(handler, raw, { [name]: value })).bodyDigest;
  expect(await digestOf(shopify, "X-Shopify-Topic", "orders/create")).not.toBe(
    await digestOf(shopify, "X-Shopify-Topic", "orders/paid"),
  );
  expect(await digestOf(github, "X-GitHub-Event", "issues")).toBe(await digestOf(github, "X-GitHub-Event", "release"));
});

it("a later attempt of Linear has another sending time and is the same webhook", async () => {
  const body = (webhookTimestamp: number) => JSON.stringify({ type: "Issue", action: "create", webhookTimestamp });
  const [one, two] = [await read(linear, body(1), {}), await read(linear, body(2), {})];
  expect(one.bodyDigest).toBe(two.bodyDigest);
});

it("form fields in another order, or twice, are the same webhook: Twilio's signature is the same", async () => {
  const forms = [
    "CallSid=CA1&CallStatus=busy",
    "CallStatus=busy&CallSid=CA1",
    "CallSid=CA1&CallStatus=busy&CallSid=CA1",
  ];
  const digests = await Promise.all(forms.map(async (raw) => (await read(twilio, raw, {})).bodyDigest));
  expect(new Set(digests).size).toBe(1);
});

it("a message of Twilio has its id in the signed fields, whatever the header says", async () => {
  const raw = "MessageSid=SM1&MessageStatus=sent";
  for (const headers of [{}, { "I-Twilio-Idempotency-Token": "x" }])
    for (const form of [raw, `${raw}&MessageSid=SM1`])
      expect(await read(twilio, form, headers)).toMatchObject({ id: "SM1:sent" });
});

it("a JSON body of Twilio may have lists of objects", async () => {
  const raw = '{"CallSid":"CA1","list":[{"toString":false},[]]}';
  expect(await read(twilio, raw, {})).toMatchObject({ body: { list: [{ toString: false }, []] } });
});
