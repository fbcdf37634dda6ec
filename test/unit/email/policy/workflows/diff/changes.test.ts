import { expect, it } from "vitest";
import { changesOf } from "../../../../../../src/email/policy/workflows/diff/changes.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import { node } from "../../../../../../src/lib/workflow-graph/edges.ts";
import { addBranch, insertNode } from "../../../../../../src/lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../../../src/lib/workflow-graph/remove.ts";
import { reroute } from "../../../../../../src/lib/workflow-graph/reroute.ts";
import type { Edit, Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import { updateNode } from "../../../../../../src/lib/workflow-graph/update.ts";
import { graphOf, planIs } from "../run/graphs.ts";

const before = graphOf(
  ["t", "EventTrigger", ["d"]],
  ["d", "TimerAction", ["b"], { amount: 3, unit: "d" }],
  ["b", "BranchNode", ["f1", "f2"]],
  ["f1", "AudienceFilter", ["e1"], { audienceFilter: planIs("pro") }],
  ["f2", "AudienceFilter", ["e2"]],
  ["e1", "SendEmailAction", ["n"]],
  ["e2", "SendEmailAction", ["n"]],
  ["n", "ExperimentBranchNode", ["v1", "v2"]],
  ["v1", "VariantNode", ["x"]],
  ["v2", "VariantNode", ["x"], { isControl: true }],
);

const names: Record<string, string> = {
  msg_e1: "For pros",
  msg_e2: "For all",
  seg_pro: "Pros",
  seg_new: "New",
  lst_1: "News",
  lst_2: "Offers",
};
const nameOf = (id: string) => names[id];

const edited = (edit: Edit): Graph => {
  if ("refusal" in edit) throw new Error(edit.refusal.message);
  return edit.graph;
};
const newId = () => {
  let count = 0;
  return (prefix: string) => `${prefix}_${++count}`;
};
const insert = (graph: Graph, type: "TimerAction" | "AudienceFilter", from: string, to: string) =>
  edited(insertNode(graph, type, { insertMode: "between", fromNodeId: from, toNodeId: to }, newId()));
const update = (id: string, changes: object) => (graph: Graph) => edited(updateNode(graph, id, changes));
const with2 = (match: "all" | "any"): AudienceFilter => ({
  match,
  conditions: [
    { type: "property", key: "seats", operator: "greaterThan", value: 5 },
    { type: "property", key: "plan", operator: "equals", value: "pro" },
  ],
});

const cases: [string, (graph: Graph) => Graph, [nodeId: string | null, text: string][]][] = [
  ["nothing", (graph) => graph, []],
  ["a timer", update("d", { amount: 5 }), [["d", "The timer takes 5 days now, before 3 days."]]],
  [
    "the event",
    update("t", { eventName: "signedUp" }),
    [["t", 'The workflow starts with the event "signedUp" now, before with the event "trialStarted".']],
  ],
  [
    "the type of the trigger",
    update("t", { typeName: "SignupTrigger" }),
    [["t", 'The workflow starts with the creation of a contact now, before with the event "trialStarted".']],
  ],
  ["reEligible", update("t", { reEligible: true }), [["t", "A contact may enter more than once now."]]],
  [
    "a condition",
    update("f1", { audienceFilter: planIs("team") }),
    [["f1", 'The filter has the condition: "plan" must be "team". Before: "plan" must be "pro".']],
  ],
  [
    "one more condition, in another order",
    update("f1", { audienceFilter: with2("all") }),
    [["f1", 'The filter has one more condition: "seats" must be greater than 5.']],
  ],
  [
    "no condition",
    update("f1", { audienceFilter: null }),
    [["f1", 'The filter no longer has the condition: "plan" must be "pro".']],
  ],
  [
    "how conditions count",
    update("f1", { audienceFilter: with2("any") }),
    [
      ["f1", 'The filter has one more condition: "seats" must be greater than 5.'],
      ["f1", "One condition of the filter is enough now, before all had to be met."],
    ],
  ],
  [
    "a segment",
    update("f2", { audienceSegmentId: "seg_new" }),
    [["f2", 'The segment that the filter asks for is "New" now, before none.']],
  ],
  [
    "appliesDownstream",
    update("f1", { appliesDownstream: true }),
    [["f1", 'The filter ("plan" must be "pro") applies to all later nodes.']],
  ],
  [
    "the sampling rate",
    update("n", { samplingRate: 80 }),
    [["n", "The experiment gives 80 % of the contacts a variant now, before 50 %."]],
  ],
  [
    "the control",
    update("v1", { isControl: true }),
    [
      ["v1", "This variant is the control group of the experiment now."],
      ["v2", "The former control group is the variant v2 of the experiment now."],
    ],
  ],
  [
    "a node that is added",
    (graph) => insert(graph, "TimerAction", "e1", "n"),
    [["nod_1", 'The timer of 1 day is added after the mail "For pros".']],
  ],
  ["a node that is removed", (graph) => edited(removeNode(graph, "d")), [["d", "The timer of 3 days is removed."]]],
  [
    "a node in place of another one",
    (graph) => insert(edited(removeNode(graph, "d")), "TimerAction", "t", "b"),
    [
      ["nod_1", "The timer of 1 day is added after the start of the workflow."],
      ["d", "The timer of 3 days is removed."],
    ],
  ],
  [
    "a path that is added",
    (graph) => edited(addBranch(graph, "b", newId())),
    [["nod_1", "A filter that everyone matches is added after the branch."]],
  ],
  [
    "a path that is removed",
    (graph) => edited(removeBelow(graph, "f1")),
    [
      ["f1", 'The filter ("plan" must be "pro") is removed.'],
      ["e1", 'The mail "For pros" is removed.'],
    ],
  ],
  [
    "a path that keeps its content",
    (graph) => edited(removeNode(graph, "f1")),
    [["f1", 'The filter ("plan" must be "pro") is removed.']],
  ],
  [
    "the order of paths",
    (graph) => ({
      ...graph,
      nodes: { ...graph.nodes, b: { ...node(graph, "b"), nextNodeIds: ["f2", "f1"] } },
    }),
    [
      [
        "b",
        'The paths of the branch have another order now: a filter that everyone matches, the filter ("plan" must be "pro").',
      ],
    ],
  ],
  [
    "another way",
    (graph) => edited(reroute(graph, "e1", "x")),
    [["e1", 'The mail "For pros" leads to the end of the workflow now, before to the experiment.']],
  ],
];

it.each(cases)("says what is different: %s", (_, edit, expected) => {
  const compared = { from: { graph: before, list: null }, to: { graph: edit(before), list: null } };
  expect(changesOf(compared, nameOf).map(({ nodeId, text }) => [nodeId, text])).toEqual(expected);
});

it.each([
  ["lst_1", "lst_2", 'The mailing list of the workflow is "Offers" now, before "News".'],
  [null, "lst_1", 'The mailing list of the workflow is "News" now, before none.'],
  ["lst_1", null, 'The workflow has no mailing list now. Before, it had "News".'],
])("says that the list was changed from %s to %s", (from, to, text) => {
  const compared = { from: { graph: before, list: from }, to: { graph: before, list: to } };
  expect(changesOf(compared, nameOf)).toEqual([{ nodeId: null, text }]);
});

it("says the opposite of the opposite change", () => {
  const after = update("f1", { audienceFilter: null, appliesDownstream: true })(
    update("t", { reEligible: true })(before),
  );
  const back = changesOf({ from: { graph: after, list: null }, to: { graph: before, list: null } }, nameOf);
  expect(back.map(({ text }) => text)).toEqual([
    "A contact enters only once now, and not if it was here.",
    'The filter has one more condition: "plan" must be "pro".',
    'The filter ("plan" must be "pro") no longer applies to all later nodes.',
  ]);
});
