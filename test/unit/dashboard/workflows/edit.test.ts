import { describe, expect, it } from "vitest";
import {
  draftOf,
  type FullNode,
  type NodeDraft,
  payloadOf,
  problemsIn,
} from "../../../../src/dashboard/app/pages/workflows/edit/draft.ts";
import { sideFor, sideOf, sideProblem, storedSide } from "../../../../src/dashboard/app/pages/workflows/edit/query.ts";
import { isSame } from "../../../../src/dashboard/app/parts/acts/unsaved-fields.ts";
import type { PropertyType } from "../../../../src/lib/contract/contact-fields.ts";
import { changedNode } from "../../../../src/lib/contract/workflows/requests.ts";
import { checkedQuery, operatorsFor, WITHOUT_VALUE } from "../../../../src/lib/workflow-graph/property-query.ts";

const types = new Map<string, PropertyType>([
  ["email", "string"],
  ["plan", "string"],
  ["seats", "number"],
  ["isPaying", "boolean"],
  ["trialEndsAt", "date"],
]);

const node = (fields: object) =>
  ({ id: "nod_1", workflowId: "wfl_1", workflowRevisionId: "rev_1", nextNodeIds: ["nod_2"], ...fields }) as FullNode;

const sent = (fields: object) => {
  const draft = draftOf(node(fields), types) as NodeDraft;
  expect(problemsIn(draft, types)).toEqual({});
  const payload = payloadOf(draft, types);
  return changedNode.parse({ workflowId: "wfl_1", nodeId: "nod_1", expectedRevisionId: "rev_1", payload }).payload;
};

const plan = { type: "property", key: "plan", operator: "equals", value: "pro" } as const;

describe("the fields of a node", () => {
  it("are sent as they are stored, where nothing was typed", () => {
    const query = {
      key: "plan",
      was: { operator: "equal", value: "free" },
      is: { operator: "not_empty", value: "" },
    };
    expect(sent({ typeName: "TimerAction", amount: 1.5, unit: "h" })).toEqual({ amount: 1.5, unit: "h" });
    expect(sent({ typeName: "EventTrigger", eventName: "paid", eventProperties: [], reEligible: true })).toEqual({
      typeName: "EventTrigger",
      eventName: "paid",
      reEligible: true,
    });
    expect(sent({ typeName: "SignupTrigger" })).toEqual({ typeName: "SignupTrigger" });
    expect(sent({ typeName: "AddToListTrigger", mailingListId: null, reEligible: false })).toEqual({
      typeName: "AddToListTrigger",
      reEligible: false,
    });
    expect(sent({ typeName: "ContactPropertyTrigger", contactPropertyQuery: query, reEligible: false })).toEqual({
      typeName: "ContactPropertyTrigger",
      contactPropertyQuery: query,
      reEligible: false,
    });
    const audienceFilter = { match: "any", conditions: [plan, { type: "optIn", status: null }] };
    expect(
      sent({ typeName: "AudienceFilter", audienceFilter, audienceSegmentId: "seg_1", appliesDownstream: true }),
    ).toEqual({ audienceFilter, audienceSegmentId: "seg_1", appliesDownstream: true });
    expect(sent({ typeName: "AudienceFilter", audienceFilter: null, appliesDownstream: false })).toEqual({
      audienceFilter: null,
      audienceSegmentId: null,
      appliesDownstream: false,
    });
    expect(sent({ typeName: "ExperimentBranchNode", samplingRate: 12.5 })).toEqual({ samplingRate: 12.5 });
    expect(sent({ typeName: "VariantNode", isControl: true })).toEqual({ isControl: true });
  });

  it("are none for a mail, a branch and the exit", () => {
    for (const typeName of ["SendEmailAction", "BranchNode", "ExitAction"])
      expect(draftOf(node({ typeName }), types)).toBeUndefined();
  });

  it("say what is missing, by field", () => {
    const blank = draftOf(node({ typeName: "BlankTrigger" }), types) as Extract<NodeDraft, { type: "trigger" }>;
    expect(problemsIn(blank, types)).toEqual({ typeName: "Choose what starts the workflow." });
    expect(problemsIn({ ...blank, typeName: "EventTrigger" }, types)).toHaveProperty("eventName");
    expect(problemsIn({ ...blank, typeName: "ContactPropertyTrigger" }, types)).toEqual({ key: "Choose a property." });
    expect(problemsIn({ ...blank, typeName: "ContactPropertyTrigger", key: "gone" }, types).key).toContain("gone");
    const seats: NodeDraft = {
      ...blank,
      typeName: "ContactPropertyTrigger",
      key: "seats",
      is: { operator: "greater_than", value: "many", to: "" },
    };
    expect(problemsIn(seats, types)).toEqual({ is: "Give a number, such as 12 or 1.5." });
    expect(problemsIn({ type: "timer", amount: "soon", unit: "d" }, types)).toHaveProperty("amount");
    expect(problemsIn({ type: "timer", amount: "731", unit: "d" }, types).amount).toContain("730");
    expect(problemsIn({ type: "timer", amount: "731", unit: "h" }, types)).toEqual({});
    expect(problemsIn({ type: "experiment", rate: "101" }, types)).toHaveProperty("rate");
    const filter = draftOf(
      node({ typeName: "AudienceFilter", audienceFilter: { match: "all", conditions: [{ ...plan, value: "" }] } }),
      types,
    );
    expect(problemsIn(filter as NodeDraft, types)).toEqual({ "condition 1": "Give a value." });
  });

  it("tell a change from none", () => {
    const timer = { typeName: "TimerAction", amount: 3, unit: "d" };
    expect(isSame(draftOf(node(timer), types), draftOf(node(timer), types))).toBe(true);
    expect(isSame(draftOf(node(timer), types), draftOf(node({ ...timer, amount: 4 }), types))).toBe(false);
  });
});

describe("one side of a property query", () => {
  it("has, for each type and operator, a form that the service takes and gives back", () => {
    const value: Record<PropertyType, string> = { string: "pro", number: "12", boolean: "", date: "2026-01-31" };
    for (const [key, type] of types)
      for (const name of ["was", "is"] as const)
        for (const operator of operatorsFor(name, type)) {
          const typed = {
            operator,
            value: WITHOUT_VALUE.has(operator) ? "" : value[type],
            to: operator === "between" ? "2026-02-28" : "",
          };
          expect(sideProblem(typed, type)).toBeUndefined();
          const other = { operator: "any", value: "" } as const;
          const stored = storedSide(typed, type);
          const query = { key, was: other, is: other, [name]: stored };
          const checked = checkedQuery(query, (one) => types.get(one));
          expect(checked).not.toHaveProperty("refusal");
          if (!("query" in checked)) continue;
          const again = sideOf(checked.query[name]);
          expect(sideProblem(again, type)).toBeUndefined();
          expect(storedSide(again, type)).toEqual(checked.query[name]);
        }
  });

  it("asks for a value, for a number and for a date that stays the same", () => {
    expect(sideProblem({ operator: "equal", value: " ", to: "" }, "string")).toBe("Give a value.");
    expect(sideProblem({ operator: "less_than", value: "x", to: "" }, "number")).toContain("number");
    for (const value of ["30 days ago", "in 2 weeks", "-P30D", "soon", ""])
      expect(sideProblem({ operator: "after", value, to: "" }, "date")).toContain("date");
    expect(sideProblem({ operator: "between", value: "2026-01-31", to: "" }, "date")).toContain("date");
  });

  it("keeps the operator that the next property has too, and no value of another type", () => {
    const typed = { operator: "not_empty", value: "12", to: "" } as const;
    expect(sideFor("is", typed, "boolean")).toEqual({ operator: "not_empty", value: "", to: "" });
    expect(sideFor("is", { ...typed, operator: "less_than" }, "string").operator).toBe("any");
    expect(sideFor("is", { ...typed, operator: "empty" }, "number").operator).toBe("any");
    expect(sideFor("was", { ...typed, operator: "empty" }, "number").operator).toBe("empty");
  });
});
