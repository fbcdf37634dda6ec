import { describe, expect, it } from "vitest";
import { step } from "../../../../../../src/email/policy/workflows/run/step.ts";
import type { RunContact } from "../../../../../../src/email/policy/workflows/run/types.ts";
import type { Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import { contactOf, DAY, factsOf, flow, graphOf, HOUR, k, planIs, runAt, START, withPlan } from "./graphs.ts";

const first = (graph: Graph, contact: RunContact = contactOf(), now = START) => {
  const { visits, mails, position } = step(flow(graph), runAt(graph, graph.root), factsOf(contact), now);
  const idOf = (node: number) => Object.keys(graph.nodes).find((id) => k(graph, id) === node);
  return {
    path: visits.map(([node]) => idOf(node)),
    mails: mails.map(({ message }) => message),
    position: { ...position, node: idOf(position.node) },
  };
};

const filter = (plan: string, more = {}) => ({ audienceFilter: planIs(plan), ...more });

const branches = graphOf(
  ["t", "SignupTrigger", ["b"]],
  ["b", "BranchNode", ["pro", "any", "pro2"]],
  ["pro", "AudienceFilter", ["e1"], filter("pro")],
  ["any", "AudienceFilter", ["e2"]],
  ["pro2", "AudienceFilter", ["e2"], filter("pro")],
  ["e1", "SendEmailAction", ["x"]],
  ["e2", "SendEmailAction", ["x"]],
);

const waiting = graphOf(
  ["t", "SignupTrigger", ["e1"]],
  ["e1", "SendEmailAction", ["d"]],
  ["d", "TimerAction", ["f"], { amount: 3 }],
  ["f", "AudienceFilter", ["e2"], filter("pro")],
  ["e2", "SendEmailAction", ["x"]],
);

describe("a step", () => {
  it("queues each mail on the way to a timer, and rests there from now on", () => {
    expect(first(waiting)).toEqual({
      path: ["e1", "d"],
      mails: ["msg_e1"],
      position: { node: "d", since: START, wake: START + 3 * DAY },
    });
  });

  it("leaves a run at its timer until its time is over", () => {
    const { position } = step(flow(waiting), runAt(waiting, "d"), factsOf(withPlan("pro")), START + 3 * DAY - 1);
    expect(position).toEqual({ node: k(waiting, "d"), since: START, wake: START + 3 * DAY });
  });

  it("goes on from a timer that is over, and reads the contact as it is then", () => {
    const at = START + 3 * DAY;
    const { mails, position } = step(flow(waiting), runAt(waiting, "d"), factsOf(withPlan("pro")), at);
    expect(mails).toEqual([{ message: "msg_e2", node: k(waiting, "e2") }]);
    expect(position).toEqual({ node: k(waiting, "x"), ended: "completed" });
  });

  it("ends at a filter that does not match, with the value that it saw", () => {
    const { visits, mails, position } = step(
      flow(waiting),
      runAt(waiting, "d"),
      factsOf(withPlan("free")),
      START + 3 * DAY,
    );
    expect({ mails, position }).toEqual({ mails: [], position: { node: k(waiting, "f"), ended: "filtered" } });
    expect(visits).toEqual([
      [
        k(waiting, "f"),
        START + 3 * DAY,
        [{ filter: k(waiting, "f"), condition: planIs("pro").conditions[0], saw: "free" }],
      ],
    ]);
  });

  it("waits from the arrival, not from the entry, and never less than the amount", () => {
    const graph = graphOf(
      ["t", "SignupTrigger", ["a"]],
      ["a", "TimerAction", ["b"], { amount: 1, unit: "h" }],
      ["b", "TimerAction", ["x"], { amount: 0.5, unit: "m" }],
    );
    const late = START + 7 * DAY + 1;
    const { position } = step(flow(graph), runAt(graph, "a"), factsOf(), late);
    expect(position).toEqual({ node: k(graph, "b"), since: late, wake: START + 7 * DAY + 31_000 });
  });

  it("keeps the time of a timer whose amount was changed while a run waits, counted from its arrival", () => {
    const longer = graphOf(["t", "SignupTrigger", ["d"]], ["d", "TimerAction", ["x"], { amount: 5 }]);
    const run = runAt(longer, "d");
    expect(step(flow(longer), run, factsOf(), START + 3 * DAY).position).toMatchObject({ wake: START + 5 * DAY });
    expect(step(flow(longer), run, factsOf(), START + 5 * DAY).position).toMatchObject({ ended: "completed" });
  });

  it("passes a timer of 0 at once", () => {
    const graph = graphOf(
      ["t", "SignupTrigger", ["d"]],
      ["d", "TimerAction", ["e"], { amount: 0 }],
      ["e", "SendEmailAction", ["x"]],
    );
    expect(first(graph)).toMatchObject({ path: ["d", "e", "x"], mails: ["msg_e"], position: { ended: "completed" } });
  });

  it("takes the left-most branch that matches", () => {
    expect(first(branches, withPlan("pro"))).toMatchObject({ path: ["b", "pro", "e1", "x"], mails: ["msg_e1"] });
    expect(first(branches, withPlan("free"))).toMatchObject({ path: ["b", "any", "e2", "x"], mails: ["msg_e2"] });
  });

  it("ends at a branch of which no filter matches, with a reason for each", () => {
    const graph = graphOf(
      ["t", "SignupTrigger", ["b"]],
      ["b", "BranchNode", ["f1", "f2"]],
      ["f1", "AudienceFilter", ["x"], filter("pro")],
      ["f2", "AudienceFilter", ["x"], { audienceSegmentId: "seg_gone" }],
    );
    const { visits, position } = step(flow(graph), runAt(graph, "t"), factsOf(withPlan("free")), START);
    expect(position).toMatchObject({ ended: "no_branch" });
    expect(visits[0]?.[2]).toEqual([
      { filter: k(graph, "f1"), condition: planIs("pro").conditions[0], saw: "free" },
      { filter: k(graph, "f2") },
    ]);
  });

  it("wants both the segment and the filter of a node", () => {
    const both = graphOf(
      ["t", "SignupTrigger", ["f"]],
      [
        "f",
        "AudienceFilter",
        ["x"],
        {
          audienceSegmentId: "seg_pro",
          audienceFilter: {
            match: "all",
            conditions: [{ type: "property", key: "seats", operator: "greaterThan", value: 5 }],
          },
        },
      ],
    );
    const ended = (properties: Record<string, string | number>) => first(both, contactOf({ properties })).position;
    expect(ended({ plan: "pro", seats: 6 })).toMatchObject({ ended: "completed" });
    expect(ended({ plan: "pro", seats: 5 })).toMatchObject({ ended: "filtered" });
    expect(ended({ plan: "free", seats: 6 })).toMatchObject({ ended: "filtered" });
  });
});

describe("the gate", () => {
  const run = runAt(waiting, "d");
  it.each([
    ["unsubscribed", { subscribed: false }],
    ["not_confirmed", { optInStatus: "pending" }],
    ["not_confirmed", { optInStatus: "rejected" }],
    ["left_list", { mailingLists: {} }],
  ] as const)("ends a run: %s", (ended, data) => {
    const facts = factsOf(contactOf({ mailingLists: { lst_1: true }, ...data }));
    const { visits, mails, position } = step(flow(waiting, "lst_1"), run, facts, START + 9 * DAY);
    expect({ visits, mails, position }).toEqual({ visits: [], mails: [], position: { node: k(waiting, "d"), ended } });
  });

  it("is looked at before the timer", () => {
    const facts = factsOf(contactOf({ subscribed: false }));
    expect(step(flow(waiting), run, facts, START).position).toMatchObject({ ended: "unsubscribed" });
  });

  it("is behind a node that was deleted: such a run ends for that reason", () => {
    const facts = factsOf(contactOf({ subscribed: false }));
    expect(step(flow(waiting), { ...run, node: 99 }, facts, START).position).toEqual({
      node: 99,
      ended: "node_deleted",
    });
  });
});

describe("a filter that applies downstream", () => {
  const converging = (appliesDownstream: boolean) =>
    graphOf(
      ["t", "SignupTrigger", ["b"]],
      ["b", "BranchNode", ["f", "g"]],
      ["f", "AudienceFilter", ["e1"], filter("pro", { appliesDownstream })],
      ["g", "AudienceFilter", ["d"]],
      ["e1", "SendEmailAction", ["d"]],
      ["d", "TimerAction", ["n"], { amount: 1, unit: "h" }],
      ["n", "TimerAction", ["e2"], { amount: 0 }],
      ["e2", "SendEmailAction", ["x"]],
    );
  const anHourLater = (graph: Graph, passed: string[]) =>
    step(flow(graph), runAt(graph, "d", passed), factsOf(withPlan("free")), START + HOUR);

  it("stops a run at each later node, however far", () => {
    const graph = converging(true);
    expect(anHourLater(graph, ["b", "f", "e1", "d"])).toMatchObject({
      mails: [],
      position: { node: k(graph, "n"), ended: "filter_stopped" },
    });
  });

  it("does not bind runs that came another way", () => {
    expect(anHourLater(converging(true), ["b", "g", "d"]).mails).toHaveLength(1);
  });

  it("does not bind runs when it is switched off, also those that passed it before", () => {
    expect(anHourLater(converging(false), ["b", "f", "e1", "d"]).mails).toHaveLength(1);
  });
});

describe("a branch or experiment that start would refuse", () => {
  it("leads nobody to a child of the wrong type", () => {
    const graph = graphOf(["t", "SignupTrigger", ["b"]], ["b", "BranchNode", ["e"]], ["e", "SendEmailAction", ["x"]]);
    expect(first(graph)).toMatchObject({ mails: [], position: { ended: "no_branch" } });
    const experiment = graphOf(
      ["t", "SignupTrigger", ["n"]],
      ["n", "ExperimentBranchNode", ["e"]],
      ["e", "SendEmailAction", ["x"]],
    );
    expect(first(experiment)).toMatchObject({ mails: [], position: { ended: "not_sampled" } });
  });
});
