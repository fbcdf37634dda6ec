import { describe, expect, it } from "vitest";
import { changesIn, editable, type Property } from "../../../src/dashboard/app/pages/people/values.ts";
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
