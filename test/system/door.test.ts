import { LoopsClient } from "loops";
import { beforeAll, describe, expect, it } from "vitest";
import { type Mailspan, sharedMailspan, until } from "./mailspan.ts";
import { clerkWebhook, genericWebhook, type Json, type Signed, stripeWebhook, supabaseHook } from "./signed.ts";

let mailspan: Mailspan;
/** Through the bridge, so that all requests share one rate limit. */
let client: LoopsClient;

beforeAll(async () => {
  mailspan = await sharedMailspan();
  client = new LoopsClient(mailspan.key);
  client.apiRoot = `${mailspan.url}/`;
});

const send = async (source: string, { payload, headers }: Signed) => {
  const response = await mailspan.post(source, payload, headers);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
};

const mailTo = (to: string) =>
  until(`a mail to ${to}`, async () => {
    const found = (await mailspan.inbox()).mails.find((mail) => mail.to === to);
    return found && mailspan.mail(found.id);
  });

describe("from a webhook to mail", () => {
  it("a Stripe checkout makes a contact with its properties, an event and a receipt", async () => {
    const email = "grace@example.com";
    const { status, body } = await send(
      "stripe",
      stripeWebhook("checkout.session.completed", ({ data }) => {
        data.object.customer_details = { ...data.object.customer_details, email, name: "Grace Hopper" };
        Object.assign(data.object, {
          amount_total: 4_950,
          currency: "eur",
          customer: "cus_grace",
          payment_status: "paid",
        });
      }),
    );
    expect(status).toBe(202);
    expect(body).toEqual({ id: expect.stringMatching(/^wh_/), duplicate: false, deliveries: 3 });
    const { deliveries } = await mailspan.settled(body.id);
    const mail = await mailTo(email);
    expect(deliveries.map(({ action, state }) => [action, state])).toEqual([
      ["contact", "done"],
      ["event", "done"],
      ["transactional", "done"],
    ]);
    expect(mail.subject).toContain("€49.50");
    expect(mail.html).toContain("€49.50");
    expect(mail.text).toContain("€49.50");
    const [contact] = await client.findContact({ email });
    expect(contact).toMatchObject({
      email,
      stripeCustomerId: "cus_grace",
      lastPurchaseAmount: 49.5,
      subscribed: true,
      id: deliveries[0]?.result,
    });
    expect(JSON.stringify(mail.headers)).toContain(`<${deliveries[2]?.result}@`);
    const page = await (await fetch(`${mailspan.emailUrl}/inbox`)).text();
    expect(page).toContain("€49.50");
  });

  it("a Clerk sign-up makes a contact, an event and a welcome mail", async () => {
    const { status, body } = await send(
      "clerk",
      clerkWebhook(({ data }) => {
        Object.assign(data, { id: "user_joan", first_name: "Joan", last_name: "Clarke" });
        for (const address of data.email_addresses) address.email_address = "joan@example.com";
      }),
    );
    expect(status).toBe(202);
    const { deliveries } = await mailspan.settled(body.id);
    expect(deliveries.map(({ action, state }) => [action, state])).toEqual([
      ["contact", "done"],
      ["event", "done"],
      ["transactional", "done"],
    ]);
    const [contact] = await client.findContact({ userId: "user_joan" });
    expect(contact).toMatchObject({ email: "joan@example.com", firstName: "Joan", lastName: "Clarke" });
    expect((await mailTo("joan@example.com")).html).toContain("Joan");
  });

  it("the Supabase send-email hook is answered with JSON 200 within its 5 s; its link is mailed, and then erased from the journal", async () => {
    const started = Date.now();
    const { status, headers, body } = await send(
      "supabase",
      supabaseHook((hook) => {
        Object.assign(hook.user, { id: "sb_ada", email: "login@example.com" });
        Object.assign(hook.email_data, {
          token: "305805",
          token_hash: "hash-7d5b7b1964cf5d388340",
          email_action_type: "magiclink",
        });
      }),
    );
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toContain("application/json");
    await mailspan.settled(body.id);
    const mail = await mailTo("login@example.com");
    expect(mail.html).toContain("token=hash-7d5b7b1964cf5d388340");
    expect(mail.text).toContain("305805");
    expect(JSON.stringify(await mailspan.webhook(body.id))).not.toMatch(/305805|hash-7d5b7b1964cf5d388340/);
  });

  it("generic Standard Webhooks are accepted; a type without rules is journaled without deliveries", async () => {
    const { status, body } = await send("generic", genericWebhook({ type: "coffee.brewed", data: {} }, "msg_coffee"));
    expect([status, body.deliveries]).toEqual([202, 0]);
    expect(await mailspan.webhook(body.id)).toMatchObject({
      source: "generic",
      type: "coffee.brewed",
      eventId: "msg_coffee",
      deliveries: [],
    });
  });
});

describe("a webhook without an email", () => {
  const subscription = (customer: string) =>
    stripeWebhook("customer.subscription.updated", ({ data }) =>
      Object.assign(data.object, { customer, status: "past_due" }),
    );
  const created = (customer: string, email: string) =>
    stripeWebhook("customer.created", ({ data }) => Object.assign(data.object, { id: customer, email }));

  it("updates the right contact when customer.created arrived before it", async () => {
    await send("stripe", created("cus_before", "before@example.com"));
    const { body } = await send("stripe", subscription("cus_before"));
    await mailspan.settled(body.id);
    expect(await client.findContact({ email: "before@example.com" })).toMatchObject([
      { subscriptionStatus: "past_due" },
    ]);
  });

  it("updates the right contact when customer.created arrives after it", async () => {
    const { body } = await send("stripe", subscription("cus_after"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await mailspan.webhook(body.id)).deliveries.map(({ state }) => state)).toContain("waiting");
    expect(await client.findContact({ email: "after@example.com" })).toEqual([]);
    const link = await send("stripe", created("cus_after", "after@example.com"));
    await mailspan.settled(body.id);
    await mailspan.settled(link.body.id);
    expect(await client.findContact({ email: "after@example.com" })).toMatchObject([
      { subscriptionStatus: "past_due", stripeCustomerId: "cus_after" },
    ]);
  });
});

describe("the same webhook 50 times at once", () => {
  it("makes its deliveries once and sends one mail", async () => {
    const before = (await mailspan.inbox()).total;
    const one = stripeWebhook("checkout.session.completed", ({ data }) => {
      data.object.customer_details.email = "fifty@example.com";
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => send("stripe", one)));
    expect(answers.every(({ status, body }) => status === 202 && body.deliveries === 3)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    await mailspan.settled(answers[0]?.body.id);
    await mailTo("fifty@example.com");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await mailspan.inbox()).total).toBe(before + 1);
  });
});

describe("a conflict", () => {
  it("of an email and a userId that belong to two people: the delivery goes once more with the user id alone, and says so", async () => {
    await client.createContact({ email: "one@example.com", properties: { userId: "user_one" } });
    await client.createContact({ email: "two@example.com", properties: { userId: "user_two" } });
    const { body } = await send(
      "clerk",
      clerkWebhook((event) => {
        event.data.id = "user_one";
        for (const address of event.data.email_addresses) address.email_address = "two@example.com";
      }),
    );
    const update = await until("both attempts of the update", async () => {
      const { deliveries } = await mailspan.webhook(body.id);
      return deliveries.find(({ action, attempts }) => action === "contact" && attempts.length === 2);
    });
    expect(update).toMatchObject({ state: "done", attempts: [{ status: 400 }, { status: 200 }] });
    const [refused] = (update as unknown as { attempts: { message?: string }[] }).attempts;
    expect(refused?.message).toMatch(/user_one.*two@example\.com|two@example\.com.*user_one/);
  });
});
