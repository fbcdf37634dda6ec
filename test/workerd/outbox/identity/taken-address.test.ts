import { describe, expect, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import { failure } from "../service.ts";
import { createBench, update } from "../setup.ts";
import { inAnyOrder, START } from "./arrivals.ts";
import { planned, stripeWebhook } from "./planned.ts";

const OLD = "kim@example.com";
const NEW = "kim.berg@example.com";
const HOUR = 3_600_000;
const at = (step: number) => START - HOUR + step * 60_000;

const clerkWebhook = (type: "user.created" | "user.updated", email: string, step: number): PlannedWebhook => {
  const address = { id: `idn_${email}`, email_address: email, verification: { status: "verified" } };
  const data = { id: "user_1", first_name: "Kim", last_name: "Berg", email_addresses: [address] };
  const body = { type, object: "event", data: { ...data, primary_email_address_id: address.id } };
  const webhook = planned(clerk, { id: `clerk ${step}`, type, occurredAt: at(step), body });
  return { ...webhook, deliveries: webhook.deliveries.filter(({ action }) => action !== "transactional") };
};
const price = { id: "price_1", nickname: "Pro", unit_amount: 2_000, currency: "usd" };
const subscription = {
  id: "sub_1",
  object: "subscription",
  customer: "cus_1",
  status: "active",
  created: Math.floor(at(1) / 1000),
  cancel_at_period_end: false,
  items: { data: [{ price, quantity: 1 }] },
};
const WEBHOOKS = [
  clerkWebhook("user.created", OLD, 0),
  stripeWebhook("customer.created", { id: "cus_1", object: "customer", email: NEW }, at(1)),
  stripeWebhook("customer.subscription.created", subscription, at(1)),
  clerkWebhook("user.updated", NEW, 2),
];

describe("an address that a user gets and another contact has", () => {
  it("ends in one contact of the user at that address, in any order of arrival", async () => {
    await inAnyOrder("taken", WEBHOOKS, ({ contacts, deliveries }) => {
      expect(deliveries.filter(({ state }) => !["done", "replaced", "skipped"].includes(state))).toEqual([]);
      expect(contacts).toMatchObject([
        {
          email: NEW,
          userId: "user_1",
          properties: { firstName: "Kim", plan: "Pro", subscriptionStatus: "active", stripeCustomerId: "cus_1" },
        },
      ]);
    });
  });

  const user = { userId: "u1", email: NEW };
  const conflict = () => failure(409, "two contacts", {}, "contact_conflict");

  it("gets the values of the other contact before it is deleted, then the address; the ledger says so", async () => {
    const { accept, deliveries, service, webhook } = await createBench();
    let isFree = false;
    service.before = ({ method, path, body }) => {
      if (path === "/v1/contacts/delete") isFree = true;
      if (method !== "GET") return body.email && body.userId && !isFree ? conflict() : undefined;
      const found = body.userId
        ? { id: "con_1", userId: "u1", email: OLD, firstName: "Kim" }
        : { id: "con_2", userId: null, email: NEW, firstName: "K.", city: "Oslo", subscribed: false };
      return Response.json([found]);
    };
    const { id } = await accept({ links: [user], deliveries: [update(user, { firstName: "Kim" })] });
    expect((await deliveries(id)).map(({ rule, state }) => [rule, state])).toEqual([
      ["update", "done"],
      ["former address", "done"],
    ]);
    const written = service.acted.filter(({ method }) => method !== "GET").map(({ path, body }) => [path, body]);
    expect(written).toEqual([
      ["/v1/contacts/update", { userId: "u1", firstName: "Kim" }],
      ["/v1/contacts/update", { userId: "u1", subscribed: false, properties: { city: "Oslo" }, mailingLists: {} }],
      ["/v1/contacts/delete", { email: NEW }],
      ["/v1/contacts/update", { userId: "u1", email: NEW }],
    ]);
    const text = JSON.stringify(timelineOf(await webhook(id), [], service.now()));
    expect(text).toContain("the two contacts then become one");
    expect(text).not.toContain("To fix it");
  });

  it.each([
    ["before", "it has arrived"],
    ["after", "the email service has acted on it"],
  ])("survives a crash at each request, %s %s: the values and the address arrive all the same", async (when) => {
    for (let last = 1; last <= 6; last++) {
      const bench = await createBench();
      const { service } = bench;
      let isFree = false;
      let requests = 0;
      service.before = ({ method, path, body }) => {
        if (++requests === last && when === "before") return "hang";
        if (path === "/v1/contacts/delete") isFree = true;
        if (method !== "GET") return body.email && body.userId && !isFree ? conflict() : undefined;
        if (body.email && isFree) return Response.json([]);
        return Response.json([
          body.userId ? { id: "con_1", ...user, email: OLD } : { id: "con_2", email: NEW, city: "Oslo" },
        ]);
      };
      service.after = () => (requests === last && when === "after" ? "hang" : undefined);
      const { id } = await bench.accept({ links: [user], deliveries: [update(user, { firstName: "Kim" })] });
      await bench.waitFor(() => expect(requests).toBe(last));
      await bench.crash();
      await bench.pass(10 * 60_000);
      expect(
        (await bench.deliveries(id)).every(({ state }) => state === "done"),
        String(last),
      ).toBe(true);
      const updates = service.acted.filter(({ path }) => path === "/v1/contacts/update").map(({ body }) => body);
      expect(
        updates.map(({ properties }) => properties),
        String(last),
      ).toContainEqual({ city: "Oslo" });
      expect(updates.at(-1), String(last)).toMatchObject(user);
    }
  });

  it("of another user stays there: both contacts are left as they are, and the ledger says how to fix it", async () => {
    const { accept, deliveries, pass, service, webhook } = await createBench();
    service.before = ({ method, body }) =>
      method === "GET"
        ? Response.json([{ id: "con_2", userId: "u2", email: NEW }])
        : body.email && body.userId
          ? conflict()
          : undefined;
    const linked = await accept({ links: [user], deliveries: [update(user, { city: "Oslo" })] });
    await pass(80 * HOUR);
    expect(await deliveries(linked.id)).toMatchObject([{ state: "done" }, { state: "failed" }]);
    expect(service.acted.filter(({ path }) => path === "/v1/contacts/delete")).toEqual([]);
    const unlinked = await accept({ deliveries: [update({ userId: "u3", email: "x@example.com" }, { city: "Rome" })] });
    expect(await deliveries(unlinked.id)).toMatchObject([{ rule: "update", state: "done" }]);
    const text = JSON.stringify(timelineOf(await webhook(unlinked.id), [], service.now()));
    expect(text).toContain("To fix it");
  });
});
