import { expect, test } from "vitest";
import { valueAt } from "../../../src/lib/webhook/shape.ts";
import ruleSet from "../../../src/mappings/auth0.ts";
import { describeAccounts } from "./accounts.ts";
import { recorded } from "./recorded.ts";

const { event, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "user.created": { email: "ada@example.com" },
    "user.created.enterprise": { email: "dorothy@acme.example" },
    "user.updated.email-changed-unverified": undefined,
    "user.deleted.unverified": { userId: "auth0|691474e1c1a2b3d4e5f60720" },
  },
  verified: ["user.created.verified", "user.created.social"],
  changes: [
    ["email confirmed", "emailConfirmed", ["user.updated.email-confirmed"]],
    ["email changed", "emailChanged", ["user.updated.email-changed"]],
    ["blocked", "accountSuspended", ["user.updated.blocked"]],
    ["unblocked", "accountReinstated", ["user.updated.unblocked"]],
  ],
  noDelivery: ["user.updated.sign-in", "user.updated.identity-linked", "organization.created", "group.member.added"],
  deleted: {
    "user.deleted": { email: "ada@example.com", userId: "auth0|691474e1c1a2b3d4e5f60718" },
    "user.deleted.by-phone": { userId: "sms|5f7c8ec7c33c6c004bbafe91" },
  },
  order: ["user.created", "user.updated", "user.deleted"],
});

test("a changed address goes to the contact with the user id", async () => {
  const { deliveries, links } = await planFor("user.updated.email-changed");
  expect(links).toMatchObject([{ email: "ada.king@example.com", userId: expect.any(String) }]);
  for (const { contact } of deliveries) expect(contact).toEqual(links[0]);
});

test("an update without the former user makes no event", async () => {
  const { deliveries } = await planFor("user.updated.without-previous");
  expect(deliveries.map(({ action }) => action)).toEqual(["contact"]);
});

test("a test event is test data", async () => {
  expect((await planFor("user.created.test")).webhook.test).toBe(true);
  expect((await planFor("organization.member.added.test")).webhook.test).toBe(true);
  expect((await planFor("organization.member.added")).webhook.test).toBe(false);
});

test("a type with the prefix com.auth0 is read without it", async () => {
  const { webhook } = await planFor("user.created.prefixed");
  expect([webhook.type, valueAt(webhook.body, "type")]).toEqual(["user.created", "user.created"]);
});

test("a role of a member is named, and its removal is not an assignment", async () => {
  const about = { name: "organizationMembershipUpdated", organizationId: "org_9ybsU1dN2dKfDkBi" };
  expect(await event("organization.member.role.assigned")).toEqual({
    ...about,
    organizationName: "example-ltd",
    role: "billing-admin",
    assigned: true,
  });
  expect(await event("organization.member.role.deleted")).toEqual({ ...about, assigned: false });
});
