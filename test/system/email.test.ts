import { APIError, LoopsClient, RateLimitExceededError } from "loops";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/lib/client.ts";
import { ApiError } from "../../src/lib/contract/client.ts";
import { type Mailspan, startMailspan, until } from "./mailspan.ts";

let mailspan: Mailspan;
let client: LoopsClient;
beforeAll(async () => {
  mailspan = await startMailspan();
  client = mailspan.client;
});
afterAll(() => mailspan.stop());
// The team's limit is real here: each test starts with an empty window.
beforeEach(() => new Promise((resolve) => setTimeout(resolve, 1_050)));

const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeDefined();
  return error;
};

describe("the official client, unchanged, against the email Worker", () => {
  it("tests a key", async () => {
    expect(await client.testApiKey()).toEqual({ success: true, teamName: expect.any(String) });
    const wrong = new LoopsClient(`${mailspan.key}0`);
    wrong.apiRoot = client.apiRoot;
    const error = (await failure(wrong.testApiKey())) as APIError;
    expect(error).toBeInstanceOf(APIError);
    expect([error.statusCode, error.message]).toEqual([401, "401 - Invalid API key"]);
  });

  it("creates, updates, finds and deletes a contact", async () => {
    const email = "grace@example.com";
    const created = await client.createContact({ email, properties: { firstName: "Grace", userId: "u-grace" } });
    expect(created).toEqual({ success: true, id: expect.any(String) });
    const { id } = created as { id: string };
    expect(
      await client.updateContact({ userId: "u-grace", properties: { lastName: "Hopper", source: "import" } }),
    ).toEqual(created);
    expect(await client.findContact({ email: "Grace@Example.com" })).toMatchObject([
      { id, email, userId: "u-grace", firstName: "Grace", lastName: "Hopper", source: "import", subscribed: true },
    ]);

    const twice = (await failure(client.createContact({ email }))) as APIError;
    expect([twice.statusCode, twice.json]).toEqual([409, expect.objectContaining({ code: "contact_exists" })]);

    expect(await client.deleteContact({ userId: "u-grace" })).toEqual({ success: true, message: "Contact deleted." });
    expect(await client.findContact({ email })).toEqual([]);
    expect(((await failure(client.deleteContact({ email }))) as APIError).statusCode).toBe(404);
  });

  it("sends an event once per Idempotency-Key", async () => {
    const event = {
      ...{ email: "event@example.com", eventName: "signedUp", eventProperties: { plan: "pro" } },
      ...{ contactProperties: { firstName: "Eve" }, headers: { "Idempotency-Key": "event-1" } },
    };
    expect(await client.sendEvent(event)).toEqual({ success: true, id: expect.stringMatching(/^evt_/) });
    expect(await client.findContact({ email: "event@example.com" })).toMatchObject([{ firstName: "Eve" }]);
    const again = (await failure(client.sendEvent(event))) as APIError;
    expect([again.statusCode, again.message]).toEqual([
      409,
      "409 - Idempotency key has been used within the last 24 hours.",
    ]);
  });

  it("sends a transactional email, which is in the inbox a moment later", async () => {
    const dataVariables = { name: "Mary <3" };
    const sent = { transactionalId: "tpl_welcome", email: "mary@example.com", addToAudience: true, dataVariables };
    const answered = (await client.sendTransactionalEmail(sent)) as unknown as { id: string };
    expect(answered).toEqual({ success: true, id: expect.stringMatching(/^snd_/) });
    const found = await until("the mail", async () =>
      (await mailspan.inbox()).mails.find(({ to }) => to === "mary@example.com"),
    );
    expect(found.id).toBe(answered.id);
    const mail = await mailspan.mail(found.id);
    expect(mail.subject).toContain("Mary <3");
    expect(mail.html).toContain("Mary &lt;3");
    expect(mail.text).toContain("Mary <3");
    expect(mail.headers).toMatchObject({
      "Message-ID": expect.stringContaining(`<${found.id}@`),
      To: "mary@example.com",
    });
    expect(await client.findContact({ email: "mary@example.com" })).toHaveLength(1);

    const lacking = (await failure(client.sendTransactionalEmail({ ...sent, dataVariables: {} }))) as APIError;
    expect([lacking.statusCode, lacking.json]).toEqual([
      400,
      expect.objectContaining({ path: "dataVariables", transactionalId: "tpl_welcome" }),
    ]);
    const unknown = await failure(client.sendTransactionalEmail({ ...sent, transactionalId: "tpl_x" }));
    expect((unknown as APIError).statusCode).toBe(404);
  });

  it("is told of the limit as its own error, and never is an eleventh request let through", async () => {
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => client.testApiKey()));
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(4);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RateLimitExceededError);
      expect(error).toMatchObject({ limit: 10, remaining: 0 });
    }
  });
});

describe("the client of the contract", () => {
  const api = (apiKey = mailspan.key) => createClient({ baseUrl: mailspan.emailUrl, apiKey });

  it("lists what can be sent", async () => {
    const { data, pagination } = await api().transactional.list({ perPage: "10" });
    expect(pagination).toMatchObject({ perPage: 10, returnedResults: data.length, nextCursor: null });
    expect(data.find(({ id }) => id === "tpl_welcome")).toMatchObject({ name: "Welcome", dataVariables: ["name"] });
  });

  it("reads code, request id and Retry-After of a refusal", async () => {
    const error = (await failure(api("ms_forged").apiKey.test())) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key", requestId: expect.stringMatching(/^req_/) });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => api().apiKey.test()));
    const limited = results.find((result) => result.status === "rejected");
    expect(limited?.reason).toMatchObject({ status: 429, code: "rate_limited", retryAfter: 1_000 });
  });
});

it("state survives a restart: contacts, taken keys, the key itself", async () => {
  const event = { email: "stays@example.com", eventName: "signedUp", headers: { "Idempotency-Key": "before-restart" } };
  await client.sendEvent(event);
  await mailspan.restart();
  expect(await client.findContact({ email: "stays@example.com" })).toHaveLength(1);
  expect(((await failure(client.sendEvent(event))) as APIError).statusCode).toBe(409);
});

it("the inbox page is one self-contained document under a policy without scripts", async () => {
  const response = await fetch(`${mailspan.emailUrl}/inbox`);
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).not.toMatch(/<script|<link|https?:\/\//);
});
