import { expect, test } from "vitest";
import ruleSet, { kindeRules } from "../../../src/mappings/kinde.ts";
import { describeAccounts } from "./accounts.ts";
import { planOf, recorded } from "./recorded.ts";

const { bodyOf } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "user.created": { email: "ada@example.com" },
    "user.updated": undefined,
  },
  noCall: ["user.authenticated"],
  order: ["user.created", "user.updated", "user.deleted"],
});

test("addresses are linked only if the mapping is told that all are confirmed", async () => {
  const body = bodyOf("user.created");
  const person = { email: "ada@example.com", userId: body.data.user.id };
  const { calls, links } = await planOf(kindeRules(true), body);
  expect(links).toEqual([person]);
  expect(calls.map(({ contact }) => contact)).toEqual([person, person]);
  expect(calls[0]).toMatchObject({ properties: { firstName: "Ada", lastName: "Lovelace" } });
  expect((await planOf(kindeRules(true), bodyOf("user.updated"))).calls).toHaveLength(1);
  expect((await planOf(kindeRules(false), body)).links).toEqual([]);
  // A deletion has the user id only. Without links no contact has it, and the call would create one.
  expect((await planOf(kindeRules(false), bodyOf("user.deleted"))).calls).toEqual([]);
  expect((await planOf(kindeRules(true), bodyOf("user.deleted"))).calls).toMatchObject([
    { action: "contact", properties: { subscribed: false } },
    { action: "event", eventName: "accountDeleted" },
  ]);
});
