import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/clerk.ts";
import { describeAccounts } from "./accounts.ts";
import { eventsOf, planOf, recorded, withoutSecrets } from "./recorded.ts";
import { planSample } from "./sample.ts";

const { all, bodyOf, matchedBy, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "user.created.unverified": { email: "grace@example.com" },
    "user.updated.unverified": undefined,
  },
  verified: ["user.created", "user.created.sso"],
  noDelivery: ["session.created", "email.created", "sms.created", "organizationInvitation.revoked"],
  deleted: {
    "user.deleted": { userId: "user_35Lm8QzXcVbNmAsDfGhJkLpOiUy" },
    "user.deleted.external-id": { userId: "user_35Lm9QzXcVbNmAsDfGhJkLpOiUy" },
  },
});

test("an unverified address gets no welcome mail, but its sign-up makes the event", async () => {
  const { deliveries } = await planFor("user.created.unverified");
  expect(deliveries.filter(({ action }) => action === "transactional")).toEqual([]);
  expect(eventsOf(deliveries).map(({ name }) => name)).toEqual(["signedUp"]);
  const welcomed = [
    "",
    ".catalog-example",
    ".no-primary",
    ".null-names",
    ".send-example",
    ".sso",
    ".without-timestamp",
  ].map((name) => `user.created${name}`);
  expect(await matchedBy("welcome")).toEqual(welcomed);
});

test("an address is linked as soon as Clerk has verified it", async () => {
  const verified = JSON.stringify(bodyOf("user.updated.unverified")).replace('"unverified"', '"verified"');
  const { links, deliveries } = await planOf(ruleSet, JSON.parse(verified));
  expect(links).toEqual([{ email: "grace@example.com", userId: "user_35Mq2NvBcXzLkJhGfDsApOiUyTr" }]);
  expect(deliveries).toMatchObject([{ contact: links[0] }]);
});

test.each([
  ["email.created", "418277"],
  ["sms.created", "590113"],
  ["organizationInvitation.created", "ticket="],
  ["waitlistEntry.updated.invited", "ticket="],
])("%s keeps no code and no ticket", async (name, secret) => {
  const webhook = await planFor(name);
  expect(webhook.raw).toContain(secret);
  expect(withoutSecrets(ruleSet, webhook)).not.toContain(secret);
});

test("no delivery contains a code or a ticket", async () => {
  for (const { name, deliveries } of await all())
    expect([name, /418277|590113|ticket=/.test(JSON.stringify(deliveries))]).toEqual([name, false]);
});

test("a user who signed up by phone has no address and makes no delivery", async () => {
  const { deliveries, outcomes, links } = await planSample(ruleSet, "user.created", {
    "data.email_addresses": [],
    "data.primary_email_address_id": null,
  });
  expect([deliveries, links]).toEqual([[], []]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["not matched", "not matched", "not matched"]);
});

test("uses the primary address of several, and keeps the name where the account has none", async () => {
  const addresses = [
    { id: "idn_1", email_address: "old@example.com" },
    { id: "idn_2", email_address: "new@example.com" },
  ];
  const { deliveries, links } = await planSample(ruleSet, "user.updated", {
    "data.email_addresses": addresses,
    "data.primary_email_address_id": "idn_2",
    "data.first_name": null,
  });
  expect(links).toEqual([{ email: "new@example.com", userId: "user_35Lm8QzXcVbNmAsDfGhJkLpOiUy" }]);
  expect(deliveries[0]).toMatchObject({ contact: links[0], properties: { lastName: "King" } });
  expect(deliveries[0]).not.toHaveProperty("properties.firstName");
});

test("a person who joins the waitlist becomes a contact", async () => {
  const { deliveries } = await planSample(ruleSet, "user.created", {
    type: "waitlistEntry.created",
    data: { object: "waitlist_entry", id: "waitlist_1", email_address: "ada@example.com", status: "pending" },
  });
  const about = { rule: "waitlist joined", contact: { email: "ada@example.com" } };
  expect(deliveries).toEqual([
    { ...about, action: "contact", properties: {} },
    { ...about, action: "event", eventName: "waitlistJoined", eventProperties: {} },
  ]);
});

test("without the id of the primary address, the first verified address counts", async () => {
  const { contactsOf, planFor } = recorded(ruleSet);
  for (const contact of await contactsOf("user.created.no-primary")) expect(contact.email).toBe("ada@example.com");
  expect((await planFor("user.created.no-primary.unverified")).deliveries).toEqual([]);
});

test("an example of the event catalog is test data, and no real webhook is", async () => {
  for (const { name, webhook } of await all())
    expect([name, webhook.test]).toEqual([name, /\.(send|catalog)-example$/.test(name)]);
  // The catalog has seconds, but real webhooks have milliseconds.
  expect((await planFor("user.created.catalog-example")).webhook.occurredAt).toBe(1716883200000);
  const captured = await planFor("user.created.send-example", (body) => {
    delete body.instance_id;
  });
  expect(captured.webhook.test).toBe(false);
});

test("the verified primary address is used, not an unverified one beside it", async () => {
  const { deliveries, links } = await planFor("user.updated.second-address-unverified");
  expect(links).toEqual([{ email: "grace@example.com", userId: "user_35Mq2NvBcXzLkJhGfDsApOiUyTr" }]);
  expect(deliveries.map(({ contact }) => contact)).toEqual(links);
});

test("a member whose identifier is a phone number is reached by the user id", async () => {
  expect((await planFor("organizationMembership.created.by-phone")).deliveries).toMatchObject([
    { contact: { userId: "user_35Rj1QwErTyUiOpAsDfGhJkLzXc" }, eventName: "organizationJoined" },
  ]);
});

test("without a time in the body, the time of the message counts", async () => {
  expect((await planFor("user.created.without-timestamp")).webhook.occurredAt).toBe(1695200401000);
});
