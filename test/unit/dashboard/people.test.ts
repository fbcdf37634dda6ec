import { describe, expect, it } from "vitest";
import { changesIn, editable, type Property } from "../../../src/dashboard/app/pages/people/values.ts";
import { addressesOf, addressOf, erasable, otherNames } from "../../../src/dashboard/app/story/names.ts";
import { chosenTeam } from "../../../src/dashboard/app/team/chosen.ts";

describe("the edited properties of a contact", () => {
  const property = (name: string, type: Property["type"]): Property => ({ name, label: name, type });
  const properties = [property("plan", "string"), property("seats", "number"), property("vip", "boolean")];

  it("are sent only where they differ; an emptied field clears its property, also to and from empty ones", () => {
    const before = { plan: "pro", seats: 3, vip: null };
    expect(changesIn(properties, before, { plan: "", seats: "4", vip: "true" })).toEqual({
      changes: { plan: null, seats: 4, vip: true },
      problems: {},
    });
    expect(changesIn(properties, before, { plan: "pro", seats: "3", vip: "" }).changes).toEqual({});
  });

  it("say which text is no value of its type, and are not sent", () => {
    expect(changesIn(properties, {}, { seats: "four", vip: "yes" })).toEqual({
      changes: {},
      problems: { seats: "must be a number", vip: "must be true or false" },
    });
  });

  it("are those that a request may set, with names that nothing else on the page edits", () => {
    const names = ["email", "userId", "createdAt", "subscribed", "firstName", "plan"].map((name) => ({ name }));
    expect(editable(names)).toEqual([{ name: "firstName" }, { name: "plan" }]);
  });
});

describe("the team of a page", () => {
  const known = ["acme", "globex"];
  it.each([
    [{ named: "globex", bridge: "acme", known }, "acme", "globex"],
    [{ named: "not-listed", bridge: "acme", known }, null, "not-listed"],
    [{ named: undefined, bridge: "acme", known }, "globex", "globex"],
    [{ named: undefined, bridge: "acme", known }, "gone", "acme"],
    [{ named: undefined, bridge: undefined, known }, null, "acme"],
    [{ named: undefined, bridge: undefined, known: [] }, null, undefined],
  ])("of %j, after %s, is %s", (given, last, team) => {
    expect(chosenTeam(given, last)).toBe(team);
  });
});

describe("what a contact is looked for by", () => {
  const told = (kind: "email" | "userId" | "ref", value: string, learnedAt: string | null) => ({
    kind,
    value,
    learnedAt,
  });
  const known = {
    identifiers: [
      told("email", "ada@old.example", "2026-01-01T00:00:00Z"),
      told("email", "ada@new.example", "2026-02-01T00:00:00Z"),
      told("ref", "cus_1", "2026-03-01T00:00:00Z"),
      told("userId", "user_1", null),
    ],
  };

  it("is every address and user id that webhooks told, the newest address first, beside the one that is named", () => {
    const all = [{ email: "ada@new.example" }, { email: "ada@old.example" }, { userId: "user_1" }];
    expect(otherNames({ userId: "cus_1", ref: "cus_1" }, known)).toEqual(all);
    expect(otherNames({ email: "Ada@New.example" }, known)).toEqual(all.slice(1));
    expect(otherNames({ userId: "user_1", ref: "user_1" }, known)).toEqual(all.slice(0, 2));
    expect(otherNames({ userId: "user_1", ref: "user_1" }, undefined)).toEqual([]);
  });

  it("is ten of them at most", () => {
    const many = Array.from({ length: 30 }, (_, n) => told("email", `ada${n}@example.com`, null));
    expect(otherNames({ userId: "cus_1", ref: "cus_1" }, { identifiers: many })).toHaveLength(10);
  });

  it("gives every address whose mails are shown, each once, at most ten", () => {
    const contact = { email: "ada@today.example", userId: null };
    const both = ["ada@new.example", "ada@old.example"];
    expect(addressesOf({ userId: "user_1", ref: "user_1" }, contact, known)).toEqual(["ada@today.example", ...both]);
    expect(addressesOf({ email: "Ada@old.example" }, undefined, known)).toEqual(["Ada@old.example", "ada@new.example"]);
    const many = Array.from({ length: 30 }, (_, n) => told("email", `ada${n}@example.com`, null));
    expect(addressesOf({ email: "ada@example.com" }, contact, { identifiers: many })).toHaveLength(10);
  });

  it("says who is erased: never by the id of a provider", () => {
    const cus = { userId: "cus_1", ref: "cus_1" };
    expect(erasable({ email: "ada@new.example" }, undefined, known)).toEqual({ email: "ada@new.example" });
    expect(erasable(cus, undefined, known)).toEqual({ email: "ada@new.example" });
    expect(erasable(cus, { email: "ada@today.example", userId: null }, known)).toEqual({
      email: "ada@today.example",
    });
    expect(erasable(cus, { email: null, userId: "cus_1" }, known)).toEqual({ userId: "cus_1" });
    expect(erasable({ userId: "user_1", ref: "user_1" }, undefined, known)).toEqual({ userId: "user_1" });
    expect(erasable(cus, undefined, { identifiers: [told("ref", "cus_1", null)] })).toBeUndefined();
  });

  it("gives the address of a person without a contact", () => {
    expect(addressOf({ userId: "cus_1", ref: "cus_1" }, known)).toBe("ada@new.example");
    expect(addressOf({ email: "ada@old.example" }, known)).toBe("ada@old.example");
    expect(
      addressOf({ userId: "cus_1", ref: "cus_1" }, { identifiers: [told("userId", "user_1", null)] }),
    ).toBeUndefined();
  });
});
