import { type LoopsClient, RateLimitExceededError, ValidationError } from "loops";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mailspan, secrets, startMailspan, until } from "../system/mailspan.ts";
import {
  type Answer,
  failure,
  isCampaignMethod,
  isContentMethod,
  isWorkflowMethod,
  methodsOf,
  operator,
  pagination,
  recordingClient,
  transactional,
} from "./official.ts";
import { expectShape, type Shape } from "./shapes.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan();
  const { ADMIN_TOKEN } = secrets;
  const vars = { ADMIN_TOKEN, API_KEY_SECRET: "test-key-secret", INBOX: "1" };
  await mailspan.restart({ emailVars: { ...vars, DEDICATED_SENDING_IPS: "192.0.2.1, 192.0.2.2" } });
});
afterAll(() => mailspan.stop());

const used = new Set<string>();

const admin = (path: string, body: unknown) => operator(mailspan, path, body);
const clientWith = (key: string) => recordingClient(mailspan, key, used);

/** A new team for each test: the rate limit is 10 requests a second for each team. */
let team: string;
let key: string;
let client: LoopsClient;
let serial = 0;
beforeEach(async () => {
  team = `official-${serial++}`;
  await admin("", { id: team, name: "Official", samples: true });
  ({ key } = await admin(`/${team}/keys`, { name: "test" }));
  client = clientWith(key);
});

const contact: Shape<Answer<"findContact">[number]> = {
  id: { string: true },
  email: { string: true },
  firstName: { string: true, null: true },
  lastName: { string: true, null: true },
  source: { string: true },
  subscribed: { boolean: true },
  userGroup: { string: true },
  userId: { string: true, null: true },
  mailingLists: { object: true },
  optInStatus: { string: true, null: true },
};
const quota: Shape<Answer<"checkContactSuppression">["removalQuota"]> = {
  limit: { number: true },
  remaining: { number: true },
};
const summary: Shape<Answer<"listEventPatterns">["data"][number]> = {
  id: { string: true },
  eventName: { string: true },
  incomingWebhookPlatform: { string: true, null: true },
};

describe("the official client", () => {
  it("tests a key", async () => {
    const answer = await client.testApiKey();
    expectShape(answer, { success: { boolean: true }, teamName: { string: true } });
    expect(answer).toEqual({ success: true, teamName: "Official" });
    const error = await failure(clientWith(`${key}0`).testApiKey());
    expect([error.statusCode, error.message]).toEqual([401, "401 - Invalid API key"]);
  });

  it("creates, updates, finds and deletes a contact", async () => {
    const { id: list } = await admin(`/${team}/lists`, { name: "News" });
    const email = "grace@example.com";
    const created = await client.createContact({
      email,
      properties: { firstName: "Grace", userId: "u-grace" },
      mailingLists: { [list]: true },
    });
    expectShape(created, { success: { boolean: true }, id: { string: true } });
    const properties = { lastName: "Hopper", source: "import" };
    expect(await client.updateContact({ userId: "u-grace", properties })).toEqual(created);
    const [found, ...more] = await client.findContact({ email: "Grace@Example.com" });
    expect(more).toEqual([]);
    expectShape(found as NonNullable<typeof found>, contact);
    expect(found).toMatchObject({
      id: created.id,
      email,
      userId: "u-grace",
      firstName: "Grace",
      lastName: "Hopper",
      source: "import",
      subscribed: true,
      mailingLists: { [list]: true },
      optInStatus: null,
    });

    const twice = await failure(client.createContact({ email }));
    expect([twice.statusCode, twice.json]).toEqual([409, expect.objectContaining({ code: "contact_exists" })]);
    const deleted = await client.deleteContact({ userId: "u-grace" });
    expectShape(deleted, { success: { boolean: true }, message: { string: true } });
    expect(deleted.message).toBe("Contact deleted.");
    expect(await client.findContact({ email })).toEqual([]);
    expect((await failure(client.deleteContact({ email }))).statusCode).toBe(404);
  });

  it("creates and lists contact properties, and uses them", async () => {
    const created = await client.createContactProperty("planName", "string");
    expectShape(created, { success: { boolean: true } });
    const custom = await client.listContactProperties("custom");
    for (const property of [...custom, ...(await client.listContactProperties())]) {
      expectShape(property, { key: { string: true }, label: { string: true }, type: { string: true } });
    }
    expect(custom).toMatchObject([{ key: "planName", label: "Plan name", type: "string" }]);
    expect((await client.listContactProperties("all")).map((property) => property.key)).toEqual(
      expect.arrayContaining(["email", "firstName", "planName"]),
    );
    const twice = await failure(client.createContactProperty("planName", "string"));
    expect([twice.statusCode, twice.json]).toMatchObject([400, { code: "property_exists" }]);
    await client.createContact({ email: "a@example.com", properties: { planName: "pro" } });
    expect(await client.findContact({ email: "a@example.com" })).toMatchObject([{ planName: "pro" }]);
    const unknown = await failure(client.updateContact({ email: "a@example.com", properties: { other: 1 } }));
    expect([unknown.statusCode, unknown.json]).toMatchObject([400, { code: "unknown_property", path: "other" }]);
  });

  it("checks and removes a suppression", async () => {
    await client.createContact({ email: "b@example.com", properties: { userId: "u-b" } });
    await admin(`/${team}/suppressions`, { email: "b@example.com" });
    const checked = await client.checkContactSuppression({ email: "B@example.com" });
    expectShape(checked, {
      contact: { object: true },
      isSuppressed: { boolean: true },
      removalQuota: { object: true },
    });
    const who: Shape<typeof checked.contact> = {
      id: { string: true },
      email: { string: true },
      userId: { string: true, null: true },
    };
    expectShape(checked.contact, who);
    expectShape(checked.removalQuota, quota);
    expect(checked.isSuppressed).toBe(true);

    const removed = await client.removeContactSuppression({ userId: "u-b" });
    expectShape(removed, { success: { boolean: true }, message: { string: true }, removalQuota: { object: true } });
    expect(removed.removalQuota).toEqual({ limit: 100, remaining: 99 });
    expect((await client.checkContactSuppression({ userId: "u-b" })).isSuppressed).toBe(false);
    expect((await failure(client.removeContactSuppression({ userId: "u-b" }))).statusCode).toBe(400);
    expect((await failure(client.checkContactSuppression({ email: "x@example.com" }))).statusCode).toBe(404);
  });

  it("lists mailing lists", async () => {
    expect(await client.listMailingLists()).toEqual([]);
    const { id } = await admin(`/${team}/lists`, { name: "News", description: "Monthly", visibility: "public" });
    const [list] = await client.listMailingLists();
    expectShape(list as NonNullable<typeof list>, {
      id: { string: true },
      name: { string: true },
      isPublic: { boolean: true },
      description: { string: true, null: true },
    });
    expect(list).toMatchObject({ id, name: "News", description: "Monthly", isPublic: true, visibility: "public" });
  });

  it("sends an event once per Idempotency-Key", async () => {
    const event = {
      email: "event@example.com",
      eventName: "signedUp",
      eventProperties: { plan: "pro" },
      contactProperties: { firstName: "Eve" },
      headers: { "Idempotency-Key": "event-1" },
    };
    const sent = await client.sendEvent(event);
    expectShape(sent, { success: { boolean: true } });
    expect(await client.findContact({ email: "event@example.com" })).toMatchObject([{ firstName: "Eve" }]);
    const again = await failure(client.sendEvent(event));
    const message = "409 - Idempotency key has been used within the last 24 hours.";
    expect([again.statusCode, again.message]).toEqual([409, message]);
    const long = { ...event, headers: { "Idempotency-Key": "x".repeat(101) } };
    expect((await failure(client.sendEvent(long))).statusCode).toBe(400);
  });

  it("lists event patterns, and gets one by id and by name", async () => {
    const eventName = "Signed up / été 100%";
    await client.sendEvent({ userId: "u1", eventName, eventProperties: { seats: 3, plan: "pro" } });
    await client.sendEvent({ userId: "u1", eventName: "other" });
    const page = await client.listEventPatterns({ perPage: 10 });
    expectShape(page.pagination, pagination);
    for (const item of page.data) expectShape(item, summary);
    expect(page.data.map((item) => item.eventName)).toEqual(["other", eventName]);

    const pattern = await client.getEventPatternByName(eventName);
    expectShape(pattern, { ...summary, eventProperties: { array: true } });
    for (const property of pattern.eventProperties) {
      expectShape(property, { name: { string: true }, type: { string: true } });
    }
    expect(pattern).toMatchObject({ id: page.data[1]?.id, incomingWebhookPlatform: null });
    expect(await client.getEventPattern(pattern.id)).toEqual(pattern);
    expect((await failure(client.getEventPattern("evp_x"))).statusCode).toBe(404);
    expect((await failure(client.getEventPatternByName("Other"))).statusCode).toBe(404);
  });

  it("walks pages by their cursor", async () => {
    // Twelve events and three pages exceed the ten requests of one second.
    for (let i = 0; i < 12; i++) {
      if (i === 9) await new Promise((resolve) => setTimeout(resolve, 1_050));
      await client.sendEvent({ userId: "u1", eventName: `event ${i}` });
    }
    const first = await client.listEventPatterns({ perPage: 10 });
    expect(first.pagination).toMatchObject({ totalResults: 12, returnedResults: 10, totalPages: 2 });
    const next = await fetch(first.pagination.nextPage as string, { headers: { Authorization: `Bearer ${key}` } });
    expect(((await next.json()) as { data: unknown[] }).data).toHaveLength(2);
    const second = await client.listEventPatterns({ perPage: 10, cursor: first.pagination.nextCursor as string });
    expect(second.data.map((item) => item.eventName)).toEqual(["event 1", "event 0"]);
    expect(second.pagination).toMatchObject({ nextCursor: null, nextPage: null });
    expect((await failure(client.listEventPatterns({ perPage: 9 }))).statusCode).toBe(400);
  });

  it("lists transactional emails, and gets one", async () => {
    const page = await client.listTransactionalEmails();
    expectShape(page.pagination, pagination);
    expect(page.data).toHaveLength(10);
    for (const item of page.data) expectShape(item, transactional);
    const one = await client.getTransactionalEmail("tpl_welcome");
    expectShape(one, transactional);
    expect(page.data).toContainEqual(one);
    expect(one).toMatchObject({ name: "Welcome", draftEmailMessageId: null });
    expect(one.dataVariables).toEqual(["company", "name", "website"]);
    expect(one.url).toBe(`${mailspan.emailUrl}/v1/transactional-emails/tpl_welcome`);
    expect((await failure(client.getTransactionalEmail("tpl_x"))).statusCode).toBe(404);
  });

  it("sends a transactional email, which arrives in the inbox", async () => {
    const dataVariables = { name: "Mary <3", company: "Mary <3" };
    const sent = { transactionalId: "tpl_welcome", email: `mary@${team}.example`, addToAudience: true, dataVariables };
    const answer = await client.sendTransactionalEmail(sent);
    expectShape(answer, { success: { boolean: true } });
    const { id } = answer as unknown as { id: string };
    const found = await until("the mail", async () =>
      (await mailspan.inbox()).mails.find(({ to }) => to === sent.email),
    );
    expect(found.id).toBe(id);
    const mail = await mailspan.mail(id);
    expect(mail.subject).toContain("Mary <3");
    expect(mail.html).toContain("Mary &lt;3");
    expect(mail.text).toContain("Mary <3");
    expect(mail.headers).toMatchObject({ "Message-ID": expect.stringContaining(`<${id}@`), To: sent.email });
    expect(await client.findContact({ email: sent.email })).toHaveLength(1);

    const lacking = await failure(client.sendTransactionalEmail({ ...sent, transactionalId: "tpl_receipt" }));
    expect([lacking.statusCode, lacking.message]).toEqual([400, expect.stringContaining("amount")]);
    expect(lacking.json).toMatchObject({ path: "dataVariables", transactionalId: "tpl_receipt" });
    const unknown = await failure(client.sendTransactionalEmail({ ...sent, transactionalId: "tpl_x" }));
    expect(unknown.statusCode).toBe(404);
  });

  it("lists dedicated sending IPs", async () => {
    expect(await client.listDedicatedSendingIps()).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  it("refuses a contact without an identifier before it sends a request", async () => {
    const deliveries = [client.updateContact, client.findContact, client.deleteContact, client.checkContactSuppression];
    for (const delivery of [...deliveries, client.removeContactSuppression]) {
      await expect(delivery({})).rejects.toBeInstanceOf(ValidationError);
    }
  });

  it("throws its own rate limit error: 12 requests at once get 10 answers and 2 refusals", async () => {
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => client.testApiKey()));
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RateLimitExceededError);
      expect(error).toMatchObject({ limit: 10, remaining: 0 });
    }
  });

  it("got an answer for every method of these groups", () => {
    const own = methodsOf().filter(
      (name) => !isContentMethod(name) && !isCampaignMethod(name) && !isWorkflowMethod(name),
    );
    expect(own.filter((name) => !used.has(name))).toEqual([]);
    expect([...used].toSorted()).toEqual([
      "checkContactSuppression",
      "createContact",
      "createContactProperty",
      "deleteContact",
      "findContact",
      "getEventPattern",
      "getEventPatternByName",
      "getTransactionalEmail",
      "listContactProperties",
      "listDedicatedSendingIps",
      "listEventPatterns",
      "listMailingLists",
      "listTransactionalEmails",
      "removeContactSuppression",
      "sendEvent",
      "sendTransactionalEmail",
      "testApiKey",
      "updateContact",
    ]);
  });
});

it("gets addresses of the gateway from the gateway", async () => {
  const headers = { Authorization: `Bearer ${mailspan.key}` };
  const answer = await fetch(`${mailspan.url}/v1/transactional-emails/tpl_welcome`, { headers });
  const { url } = (await answer.json()) as { url: string };
  expect(url).toBe(`${mailspan.url}/v1/transactional-emails/tpl_welcome`);
  expect((await fetch(url, { headers })).status).toBe(200);
});

describe("over HTTP", () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${mailspan.emailUrl}/v1${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...init.headers },
    });
  const waitOf = (response: Response) => Number(response.headers.get("x-ratelimit-reset"));
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it("12 parallel requests get 10 × 200 and 2 × 429, and after Retry-After the next request is accepted", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask("/api-key")));
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).toEqual([10, 2]);
    const remaining = accepted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(remaining.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const answer of refused) {
      expect(waitOf(answer)).toBeGreaterThan(0);
      expect(waitOf(answer)).toBeLessThanOrEqual(1_000);
      expect(answer.headers.get("Retry-After")).toBe(`${Math.ceil(waitOf(answer) / 1_000)}`);
    }
    await sleep(Math.max(...refused.map(waitOf)));
    expect((await ask("/api-key")).status).toBe(200);
  });

  it("of 25 requests with one Idempotency-Key, sent as fast as the limit allows, one is accepted", async () => {
    const statuses: number[] = [];
    const body = JSON.stringify({ userId: "u1", eventName: "once" });
    while (statuses.length < 25) {
      const answer = await ask("/events/send", { method: "POST", body, headers: { "Idempotency-Key": "once" } });
      if (answer.status === 429) await sleep(waitOf(answer));
      else statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, ...Array.from({ length: 24 }, () => 409)]);
  });
});
