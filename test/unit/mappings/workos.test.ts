import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/workos.ts";
import { describeAccounts } from "./accounts.ts";
import { type Body, eventsOf, recorded } from "./recorded.ts";

const { contactsOf, eventNames, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "user.created.unverified": { email: "grace@example.com" },
    "user.updated.unverified": undefined,
    "user.updated.email-changed-unverified": undefined,
    "user.deleted.unverified": { userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2Q" },
  },
  verified: ["user.created"],
  changes: [
    ["email confirmed", "emailConfirmed", ["authentication.email_verification_succeeded"]],
    ["email changed", "emailChanged", ["user.updated.email-changed"]],
    ["organization joined by invitation", "organizationJoined", ["organization_membership.updated.accepted"]],
  ],
  noDelivery: ["session.created", "invitation.revoked", "authentication.sso_succeeded"],
  deleted: {
    "user.deleted": { email: "ada@example.com", userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2P" },
  },
  order: ["user.created", "user.updated", "user.deleted"],
});

test("a pending membership makes no delivery; an address is also read from a list", async () => {
  expect((await planFor("organization_membership.created.pending")).deliveries).toEqual([]);
  expect((await planFor("dsync.user.created.emails")).deliveries).toMatchObject([
    { contact: { email: "veda@example.com" } },
  ]);
});

test("an accepted invitation uses the user id, or the address where there is no user yet", async () => {
  expect((await contactsOf("invitation.accepted"))[0]).toEqual({ userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2R" });
  expect((await contactsOf("invitation.accepted.without-user"))[0]).toEqual({ email: "linus@example.com" });
});

test("a membership that is active again, and one with another role, is no new member", async () => {
  const updated = (name: string) => `organization_membership.updated.${name}`;
  expect(await eventNames(updated("reactivated"), updated("deactivated"), updated("role"))).toEqual(
    Array(3).fill("organizationMembershipUpdated"),
  );
});

test("former values are read from the context and from the data; without them no change is known", async () => {
  const accepted = "organization_membership.updated.accepted";
  const events = async (change: (body: Body) => void) => eventsOf((await planFor(accepted, change)).deliveries);
  const moved = await events((body) => {
    body.data.previous_attributes = body.context.previous_attributes;
    body.context = {};
  });
  expect(moved.map(({ name }) => name)).toEqual(["organizationJoined"]);
  for (const previous of [undefined, {}, { role: { slug: "guest" } }, { key: {} }]) {
    const unknown = await events((body) => {
      body.context = { previous_attributes: previous };
    });
    expect(unknown.map(({ name }) => name)).toEqual(["organizationMembershipUpdated"]);
  }
});
