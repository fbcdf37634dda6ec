import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/workos.ts";
import { describeAccounts } from "./accounts.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "user.created.unverified": { email: "grace@example.com" },
    "user.updated.unverified": undefined,
    "user.deleted.unverified": { userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2Q" },
  },
  verified: ["user.created"],
  changes: [["email confirmed", "emailConfirmed", ["authentication.email_verification_succeeded"]]],
  noCall: ["session.created"],
  deleted: {
    "user.deleted": { email: "ada@example.com", userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2P" },
  },
  order: ["user.created", "user.updated", "user.deleted"],
});

test("a pending membership makes no call; an address is also read from a list", async () => {
  expect((await planFor("organization_membership.created.pending")).calls).toEqual([]);
  expect((await planFor("dsync.user.created.emails")).calls).toMatchObject([
    { contact: { email: "veda@example.com" } },
  ]);
});

test("an accepted invitation uses the user id, or the address where there is no user yet", async () => {
  expect((await contactsOf("invitation.accepted"))[0]).toEqual({ userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2R" });
  expect((await contactsOf("invitation.accepted.without-user"))[0]).toEqual({ email: "linus@example.com" });
});
