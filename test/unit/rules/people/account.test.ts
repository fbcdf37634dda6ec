import { expect, test } from "vitest";
import { contactOf, formerContactOf, linksOf } from "../../../../src/rules/people/account.ts";

test("an account has its user id and its address together only if the address is verified", () => {
  const account = { userId: "u1", email: "ada@example.com", verified: false };
  expect([contactOf(account), formerContactOf(account), linksOf(account, true)]).toEqual([
    { email: "ada@example.com" },
    { userId: "u1" },
    [{ userId: "u1", email: "ada@example.com", strength: "unverified" }],
  ]);
  const both = { userId: "u1", email: "ada@example.com" };
  const own = { ...account, verified: true };
  expect([contactOf(own), formerContactOf(own), linksOf(own)]).toEqual([both, both, [both]]);
  expect(linksOf({ ...own, email: null }, true)).toEqual([]);
});

test("the unverified address of a later webhook is not linked: the deletion would reach the contact of another person", () => {
  expect(linksOf({ userId: "u1", email: "victim@example.com", verified: false })).toEqual([]);
});
