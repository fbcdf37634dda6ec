import { describe, expect, it } from "vitest";
import {
  type Entrance,
  type History,
  isTriggered,
  QUEUEING_MS,
  refusalOfEntry,
  triggerOf,
  type Write,
} from "../../../../../../src/email/policy/workflows/run/entry.ts";
import { isPropertyChange } from "../../../../../../src/email/policy/workflows/run/property-change.ts";
import type { Comparison, PropertyQuery, WorkflowStatus } from "../../../../../../src/lib/workflow-graph/types.ts";
import { contactOf, graphOf, START, team, withPlan } from "./graphs.ts";

type Triggers = Parameters<typeof graphOf>[0];
const startedBy = (typeName: Triggers[1], more: Triggers[3] = {}) => triggerOf(graphOf(["t", typeName, ["x"], more]));

const created: Write = { before: undefined, after: contactOf(), signsUp: true };
const updated: Write = { before: contactOf(), after: withPlan("pro") };
const event: Write = { ...updated, eventName: "trialStarted" };
const joined: Write = { before: contactOf(), after: contactOf({ mailingLists: { lst_1: true } }) };
const stayed: Write = { before: joined.after, after: joined.after };
const asked = contactOf({ optInStatus: "pending", mailingLists: { lst_1: true } });
const planSet = {
  contactPropertyQuery: { key: "plan", was: { operator: "any", value: "" }, is: { operator: "equal", value: "pro" } },
};

describe("a trigger", () => {
  it.each([
    ["SignupTrigger", {}, created, true],
    ["SignupTrigger", {}, { ...created, signsUp: false }, false],
    ["SignupTrigger", {}, updated, false],
    ["SignupTrigger", {}, { before: asked, after: contactOf({ optInStatus: "accepted" }) }, true],
    ["EventTrigger", {}, event, true],
    ["EventTrigger", { eventName: "trialstarted" }, event, false],
    ["EventTrigger", { eventName: null }, event, false],
    ["EventTrigger", {}, updated, false],
    ["ContactPropertyTrigger", planSet, updated, true],
    ["ContactPropertyTrigger", planSet, { ...updated, before: updated.after }, false],
    ["ContactPropertyTrigger", planSet, { ...updated, before: undefined }, false],
    ["ContactPropertyTrigger", {}, updated, false],
    ["AddToListTrigger", {}, joined, true],
    ["AddToListTrigger", {}, { ...joined, before: undefined }, true],
    ["AddToListTrigger", {}, stayed, false],
    ["AddToListTrigger", {}, { before: undefined, after: asked }, false],
    ["AddToListTrigger", {}, { before: asked, after: { ...joined.after, optInStatus: "accepted" } }, true],
    ["BlankTrigger", {}, event, false],
  ] as const)("%s %j, write %#: %s", (typeName, more, write, fires) => {
    expect(isTriggered({ trigger: startedBy(typeName, more), list: "lst_1" }, write, team)).toBe(fires);
  });

  it("for a list fires for the list of the workflow only", () => {
    expect(isTriggered({ trigger: startedBy("AddToListTrigger"), list: "lst_2" }, joined, team)).toBe(false);
    expect(isTriggered({ trigger: startedBy("AddToListTrigger"), list: null }, joined, team)).toBe(false);
  });
});

describe("the comparisons of a property trigger", () => {
  const fires = (
    key: string,
    operator: Comparison["operator"],
    value: string | number,
    before: unknown,
    after: unknown,
  ) => {
    const contact = (given: unknown) =>
      contactOf({ properties: given === undefined ? {} : { [key]: given as string } });
    const query: PropertyQuery = { key, was: { operator: "any", value: "" }, is: { operator, value } };
    return isPropertyChange(query, contact(before), contact(after), team);
  };

  it.each([
    ["plan", "any", "", "pro", undefined, true],
    ["plan", "any", "", "pro", "pro", false],
    ["plan", "equal", "pro", "free", "Pro", false],
    ["plan", "equal", "e\u0301", undefined, "\u00e9", true],
    ["plan", "not_equal", "pro", "pro", undefined, true],
    ["plan", "contains", "PR", undefined, "pro", true],
    ["plan", "contains", "\u00c9", undefined, "caf\u00e9", true],
    ["plan", "not_contains", "pr", "pro", "free", true],
    ["plan", "empty", "", "pro", "", true],
    ["plan", "not_empty", "", "", "pro", true],
    ["seats", "greater_than", 5, 5, 6, true],
    ["seats", "greater_than", 5, 4, 5, false],
    ["seats", "less_than", 5, 6, undefined, false],
    ["seats", "numeric_equal", 0, 5, 0, true],
    ["seats", "numeric_not_equal", 5, 5, undefined, true],
    ["invited", "true", "", undefined, true, true],
    ["invited", "false", "", true, undefined, false],
    ["invited", "not_empty", "", undefined, false, true],
    ["trialEndsAt", "after", "2026-01-01T00:00:00.000Z", undefined, "2026-01-01T00:00:00.000Z", false],
    ["trialEndsAt", "before", "2026-01-01T00:00:00.000Z", undefined, "2025-12-31T23:59:59.999Z", true],
    [
      "trialEndsAt",
      "between",
      "2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z",
      undefined,
      "2026-01-02T00:00:00.000Z",
      true,
    ],
    [
      "trialEndsAt",
      "between",
      "2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z",
      undefined,
      "2026-01-02T00:00:00.001Z",
      false,
    ],
    ["gone", "equal", "x", undefined, "x", false],
  ] as const)("%s %s %j: %j → %j fires %s", (key, operator, value, before, after, expected) => {
    expect(fires(key, operator, value, before, after)).toBe(expected);
  });

  it("look at the value before the change too", () => {
    const query: PropertyQuery = {
      key: "plan",
      was: { operator: "equal", value: "trial" },
      is: { operator: "equal", value: "pro" },
    };
    expect(isPropertyChange(query, withPlan("trial"), withPlan("pro"), team)).toBe(true);
    expect(isPropertyChange(query, withPlan("free"), withPlan("pro"), team)).toBe(false);
  });
});

describe("an entry", () => {
  const NONE: History = { total: 0, active: 0 };
  const workflow = (status: WorkflowStatus, more: Triggers[3] = {}, list: string | null = null): Entrance => ({
    trigger: startedBy("EventTrigger", more),
    list,
    status,
    pausedAt: status === "Draft" || status === "Sending" ? null : START,
  });
  const refused = (one: Entrance, history = NONE, contact = contactOf(), now = START) =>
    refusalOfEntry(one, contact, () => history, now);

  it.each([
    ["Draft", START, "not_published"],
    ["Sending", START, undefined],
    ["Paused", START, "paused"],
    ["PausedAndQueueing", START + QUEUEING_MS - 1, undefined],
    ["PausedAndQueueing", START + QUEUEING_MS, "paused"],
  ] as const)("at status %s and %i: %s", (status, now, expected) => {
    expect(refused(workflow(status), NONE, contactOf(), now)).toBe(expected);
  });

  it.each([
    ["unsubscribed", contactOf({ subscribed: false })],
    ["not_confirmed", contactOf({ optInStatus: "pending" })],
    ["left_list", contactOf()],
  ] as const)("is refused by the gate: %s", (code, contact) => {
    expect(refused(workflow("Sending", {}, "lst_1"), NONE, contact)).toBe(code);
  });

  it("is once for ever, unless the trigger lets contacts enter again", () => {
    expect(refused(workflow("Sending"), { total: 1, active: 0 })).toBe("entered_before");
    expect(refused(workflow("Sending", { reEligible: true }), { total: 9, active: 1 })).toBeUndefined();
    expect(refused(workflow("Sending", { reEligible: true }), { total: 300, active: 100 })).toBe("too_many_active");
  });
});
