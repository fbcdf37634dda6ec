import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/stytch.ts";
import { describeAccounts } from "./accounts.ts";
import { recorded } from "./recorded.ts";

const { all, linksOf, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "direct.user.create.unverified": { email: "grace@example.com" },
    "dashboard.user.create": { email: "linus@example.com" },
    "direct.user.create.pending": { email: "linus@example.com" },
    "direct.member.create.pending": { email: "mary@acme.example" },
    "scim.member.create.unverified": { email: "veda@example.com" },
  },
  verified: ["direct.user.create", "direct.user.create.by-oauth"],
  noDelivery: ["direct.organization.create", "direct.user.update.address-removed"],
  deleted: {
    "direct.user.delete": { userId: "user-live-fde03dd1-fff7-4b3c-9b31-ead3fbc224de" },
  },
  order: ["direct.user.create", "scim.user.update", "direct.user.delete"],
});

test("the first verified address of several is used", async () => {
  const { deliveries } = await planFor("direct.user.update");
  expect(deliveries).toMatchObject([{ contact: { email: "ada@example.com" }, properties: { lastName: "King" } }]);
});

test("a member who leaves an organization is not unsubscribed", async () => {
  expect((await planFor("direct.member.delete")).deliveries).toEqual([
    {
      rule: "organization left",
      contact: { ref: "stytch:member-live-32fc5024-9c09-4da3-bd2e-c9ce4da9375f" },
      action: "event",
      eventName: "organizationLeft",
      eventProperties: {},
      onlyKnown: true,
    },
  ]);
  expect(await linksOf("direct.member.create")).toEqual([
    { email: "ada@example.com", ref: "stytch:member-live-32fc5024-9c09-4da3-bd2e-c9ce4da9375f" },
  ]);
});

test("a webhook of a test environment is test data, and no other is", async () => {
  for (const { name, webhook } of await all())
    expect([name, webhook.test]).toEqual([name, name === "direct.user.create.test-environment"]);
});

test("the new address of a member replaces the retired one", async () => {
  expect(await linksOf("direct.member.update.retired-address")).toEqual([
    { email: "ada.king@example.com", ref: "stytch:member-live-32fc5024-9c09-4da3-bd2e-c9ce4da9375f" },
  ]);
});
