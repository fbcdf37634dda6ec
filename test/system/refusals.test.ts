import { request } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { sources } from "../../src/sources.ts";
import { type Mailspan, sharedMailspan } from "./mailspan.ts";
import { clerkWebhook, now, stripeHeader, stripeWebhook } from "./signed.ts";

let mailspan: Mailspan;

beforeAll(async () => {
  mailspan = await sharedMailspan();
});

const stripe = (payload: string, headers: Record<string, string>) => mailspan.post("stripe", payload, headers);
const { payload } = stripeWebhook("customer.created");
const large = JSON.stringify({ filler: "x".repeat(2_000_000) });

/**
 * Sends no more of a body than a stranger's is read, and waits for the answer: a client that goes on sending may be cut
 * off before it reads that. Other requests never get its connection.
 */
const cutOff = (headers: Record<string, string>, beginning: string) =>
  new Promise<Response>((resolve, reject) => {
    const post = request(`${mailspan.url}/hooks/stripe`, { method: "POST", agent: false, headers });
    post.on("response", (answer) =>
      answer.toArray().then((chunks) => {
        post.destroy();
        resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0 }));
      }, reject),
    );
    post.on("error", reject);
    post.write(beginning);
  });
const get = (path: string, authorization?: string) =>
  fetch(mailspan.url + path, authorization ? { headers: { Authorization: authorization } } : {});

const cases: { what: string; status: number; code: string; send: () => Promise<Response> }[] = [
  {
    what: "a wrong secret",
    status: 401,
    code: "invalid_signature",
    send: () => stripe(payload, stripeHeader(payload, { secret: "whsec_other" })),
  },
  {
    what: "a changed body",
    status: 401,
    code: "invalid_signature",
    send: () => stripe(`${payload} `, stripeHeader(payload)),
  },
  {
    what: "an old timestamp",
    status: 401,
    code: "stale_timestamp",
    send: () => stripe(payload, stripeHeader(payload, { timestamp: now() - 301 })),
  },
  { what: "no signature header", status: 401, code: "missing_signature", send: () => stripe(payload, {}) },
  {
    what: "one of three signature headers missing",
    status: 401,
    code: "missing_signature",
    send: () => {
      const webhook = clerkWebhook();
      return mailspan.post("clerk", webhook.payload, { ...webhook.headers, "svix-id": "" });
    },
  },
  {
    what: "a body of 2 MB",
    status: 413,
    code: "body_too_large",
    send: () => cutOff({ ...stripeHeader(large), "Content-Length": `${large.length}` }, large.slice(0, 1_000)),
  },
  {
    what: "a body of 2 MB of unknown length",
    status: 413,
    code: "body_too_large",
    send: () => cutOff(stripeHeader(large), large.slice(0, 1_000_001)),
  },
  {
    what: "bad JSON under a good signature",
    status: 400,
    code: "invalid_json",
    send: () => stripe('{"id": "evt_bad",', stripeHeader('{"id": "evt_bad",')),
  },
  {
    what: "JSON of another shape under a good signature",
    status: 400,
    code: "unexpected_body",
    send: () => stripe("[1]", stripeHeader("[1]")),
  },
  { what: "an unknown source", status: 404, code: "unknown_source", send: () => mailspan.post("strip", "{}", {}) },
  {
    what: "a source named like a property of every object",
    status: 404,
    code: "unknown_source",
    send: () => mailspan.post("constructor", "{}", {}),
  },
  { what: "another verb", status: 405, code: "method_not_allowed", send: () => get("/hooks/stripe") },
  { what: "an unknown path", status: 404, code: "not_found", send: () => get("/nowhere") },
];

it.each(cases)("$what: $status $code, and the journal does not change", async ({ send, status, code }) => {
  const before = await mailspan.webhooks();
  const response = await send();
  const body = (await response.json()) as { error: { code: string; message: string } };
  expect([response.status, body]).toEqual([status, { error: { code, message: expect.stringMatching(/\w.*\.$/) } }]);
  expect(JSON.stringify(body)).not.toContain("whsec_");
  if (code === "unknown_source")
    for (const name of Object.keys(sources)) expect(body.error.message).not.toContain(name);
  if (status === 405) expect(response.headers.get("Allow")).toBe("POST");
  expect(await mailspan.webhooks()).toEqual(before);
});

it.each([
  ["without its token", undefined, "missing_api_key"],
  ["with a wrong token", "Bearer wrong", "invalid_api_key"],
])("the ledger %s answers 401, and the journal does not change", async (_, authorization, code) => {
  const before = await mailspan.webhooks();
  const response = await get("/admin/webhooks", authorization);
  expect([response.status, await response.json()]).toMatchObject([401, { success: false, code }]);
  expect(await mailspan.webhooks()).toEqual(before);
});

it("a source without a secret accepts no webhook and names the secret to set", async () => {
  const response = await mailspan.post("shopify", "{}", { "X-Shopify-Hmac-Sha256": "anything" });
  expect([response.status, await response.json()]).toEqual([
    401,
    { error: { code: "source_not_configured", message: expect.stringContaining("SHOPIFY_WEBHOOK_SECRET") } },
  ]);
});
