import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/logto.ts";
import { describeAccounts } from "./accounts.ts";
import { recorded } from "./recorded.ts";

const { eventNames, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  verified: ["User.Created", "User.Created.older-server"],
  changes: [
    ["suspended", "accountSuspended", ["User.SuspensionStatus.Updated.suspended"]],
    ["suspension lifted", "accountReinstated", ["User.SuspensionStatus.Updated.lifted"]],
  ],
  noDelivery: [
    "PostSignIn",
    "Organization.Membership.Updated",
    "User.Created.social-without-email",
    "User.Deleted.without-id",
    "User.SuspensionStatus.Updated.test",
  ],
  deleted: {
    "User.Deleted": { email: "ada@example.com", userId: "q7w2e9r4t6y1" },
    "User.Deleted.by-api": { userId: "e9r4t6y1u3i5" },
  },
  order: ["User.Created", "User.Data.Updated", "User.Deleted"],
});

test("a test payload is test data", async () => {
  for (const name of ["User.Created.test", "PostRegister.test", "User.SuspensionStatus.Updated.test"])
    expect((await planFor(name)).webhook.test).toBe(true);
  expect((await planFor("User.Created")).webhook.test).toBe(false);
});

test("a sign-up makes one event, although Logto sends two webhooks", async () => {
  expect([await eventNames("PostRegister"), await eventNames("User.Created")]).toEqual([["signedUp"], []]);
});
