import fc from "fast-check";
import { describe, expect, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import { ADDRESSES, compareHistories, type End, openIn, type Sent, timeOf } from "./histories.ts";

const USERS = ["user_a", "user_b"] as const;
const PLACES = [...ADDRESSES, "cem@example.com", "dot@example.com", "eva@example.com"] as const;

/** A user after a change. The place in a history is its time. */
type Happening = { user: string; address: string; name: string };

/** A user gets any address that no user has at the moment, also one that another has left. None returns to an own one. */
const history: fc.Arbitrary<Happening[]> = fc
  .array(
    fc.record({
      user: fc.constantFrom(...USERS),
      address: fc.constantFrom(...PLACES),
      name: fc.constantFrom("Ada", "Bea"),
    }),
    { minLength: 2, maxLength: 10 },
  )
  .map((changes) => {
    const all: Happening[] = [];
    for (const one of changes) {
      const lasts = USERS.flatMap((user) => all.findLast((other) => other.user === user) ?? []);
      const owner = lasts.find(({ address }) => address === one.address)?.user;
      const wasOwn = all.some(({ user, address }) => user === one.user && address === one.address);
      if (owner === one.user || (owner === undefined && !wasOwn)) all.push(one);
    }
    return all;
  });

const sentOf = (happenings: readonly Happening[]): Sent[] =>
  happenings.map(({ user, address, name }, place) => {
    const isNew = happenings.findIndex((one) => one.user === user) === place;
    const [type, at] = [isNew ? "user.created" : "user.updated", timeOf(place)];
    const email = { id: `idn_${address}`, email_address: address, verification: { status: "verified" } };
    const about = { id: user, first_name: name, last_name: "", updated_at: at, created_at: at };
    const data = { ...about, email_addresses: [email], primary_email_address_id: email.id };
    return { id: `user ${place}`, type, at, body: { type, object: "event", timestamp: at, data } };
  });

const check = (happenings: readonly Happening[], end: End) => {
  expect(openIn(end)).toEqual([]);
  const last = USERS.flatMap((user) => happenings.findLast((one) => one.user === user) ?? []);
  const shown = end.contacts.map(({ email, userId, properties }) => ({
    user: userId,
    address: email,
    name: properties.firstName,
  }));
  expect(shown.toSorted((a, b) => String(a.user).localeCompare(String(b.user)))).toEqual(last);
};

/** The newest webhook waits for an address; an older one finds it free, and a third one is between the two. */
const TOLD_BY_AN_OLDER_ONE = {
  happenings: [
    { user: "user_b", address: "dot@example.com", name: "Bea" },
    { user: "user_b", address: "bob@example.com", name: "Ada" },
    { user: "user_b", address: "ada@example.com", name: "Ada" },
    { user: "user_a", address: "eva@example.com", name: "Ada" },
    { user: "user_b", address: "cem@example.com", name: "Bea" },
    { user: "user_a", address: "ada@example.com", name: "Bea" },
    { user: "user_b", address: "eva@example.com", name: "Ada" },
  ],
  order: [3, 1, 6, 0, 5, 2, 4],
  gaps: [0, 0, 3_600_000, 0, 0, 0, 3_600_000] as (0 | 3_600_000)[],
};

describe("two users who change their addresses at Clerk", () => {
  it.each([1, 2] as const)("end in one contact each, at the last address, in any order of %i arrivals each", (times) =>
    compareHistories({
      outbox: `clerk ${times}`,
      ruleSet: clerk,
      history,
      sentOf,
      times,
      check,
      examples: times === 1 ? [TOLD_BY_AN_OLDER_ONE] : [],
    }),
  );
});
