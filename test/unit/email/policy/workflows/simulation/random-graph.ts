import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import type { Graph, NodeFields, NodeType, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { faultOf } from "../../../../../../src/lib/workflow-graph/validate.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";

type Condition = AudienceFilter["conditions"][number];

type Target = { target: "workflow" | "workflowEmail" | "campaign"; id: string };

const condition = (random: Random, targets: readonly Target[]): Condition => {
  if (targets.length > 0 && random.chance(0.3)) {
    const action = random.one(["sent", "opened", "clicked"] as const);
    return { type: "activity", action, negate: random.chance(0.5), ...random.one(targets) };
  }
  return random.one<Condition>([
    { type: "optIn", status: random.one([null, "accepted"]) },
    { type: "property", key: "plan", operator: "equals", value: random.one(["free", "pro"]) },
    { type: "property", key: "plan", operator: "notEquals", value: random.one(["free", "pro"]) },
    { type: "property", key: "plan", operator: "contains", value: random.one(["ö", "ö", "PR", "ree"]) },
    { type: "property", key: "seats", operator: "greaterThan", value: random.int(0, 5) },
  ]);
};

export const randomFilter = (random: Random, targets: readonly Target[]): AudienceFilter | null =>
  random.chance(0.25)
    ? null
    : {
        match: random.one(["all", "any"]),
        conditions: Array.from({ length: random.int(1, 2) }, () => condition(random, targets)),
      };

export const randomTimer = (random: Random): NodeFields["TimerAction"] =>
  random.one([
    { amount: 0, unit: "m" },
    { amount: random.int(1, 90), unit: "m" },
    { amount: random.int(1, 40), unit: "h" },
    { amount: 0.5, unit: "h" },
    { amount: random.int(1, 3), unit: "d" },
  ]);

/**
 * A workflow that could be started, with filters, branches and experiments.
 *
 * @param withActivity filters use activity too
 */
export const randomGraph = (random: Random, workflow: string, withActivity = false): Graph => {
  const nodes: Record<string, WorkflowNode> = {};
  let k = 0;
  const add = <Type extends NodeType>(typeName: Type, nextNodeIds: string[], fields: NodeFields[Type]): string => {
    k += 1;
    const id = `nod_${workflow}_${k}`;
    nodes[id] = { typeName, k, nextNodeIds, ...fields } as unknown as WorkflowNode;
    return id;
  };
  const exit = add("ExitAction", [], {});
  const mails: Target[] = [];
  const audience = (next: string) =>
    add("AudienceFilter", [next], {
      audienceFilter: randomFilter(random, withActivity ? mails : []),
      audienceSegmentId: null,
      appliesDownstream: random.chance(0.6),
    });
  const before = (next: string, depth: number): string => {
    const kind = random.int(0, depth > 2 ? 6 : 9);
    if (kind <= 2) return add("TimerAction", [next], randomTimer(random));
    if (kind <= 5) {
      const id = `msg_${workflow}_${k + 1}`;
      mails.push({ target: "workflowEmail", id });
      return add("SendEmailAction", [next], { emailMessageId: id });
    }
    if (kind === 6) return audience(next);
    if (kind <= 8)
      return add(
        "BranchNode",
        Array.from({ length: random.int(1, 3) }, () => audience(chain(next, depth + 1))),
        {},
      );
    const variants = [false, false, true].map((isControl) =>
      add("VariantNode", [chain(next, depth + 1)], { isControl }),
    );
    return add("ExperimentBranchNode", variants, { samplingRate: random.one([0, 40, 100]) });
  };
  const chain = (next: string, depth: number): string => {
    let first = next;
    for (let i = random.int(1, depth === 0 ? 5 : 2); i > 0; i -= 1) first = before(first, depth);
    return first;
  };
  const first = chain(exit, 0);
  const reEligible = random.chance(0.5);
  const root = random.one([
    () => add("SignupTrigger", [first], {}),
    () => add("EventTrigger", [first], { eventName: random.one(["paid", "seen"]), reEligible }),
    () => add("EventTrigger", [first], { eventName: "paid", reEligible: true }),
    () => add("AddToListTrigger", [first], { reEligible }),
    () =>
      add("ContactPropertyTrigger", [first], {
        reEligible,
        contactPropertyQuery: {
          key: "plan",
          was: { operator: "any", value: "" },
          is: { operator: "equal", value: "pro" },
        },
      }),
  ])();
  const graph: Graph = { root, exit, lastK: k, nodes };
  const fault = faultOf(graph);
  if (fault !== undefined) throw new Error(`The simulation made an invalid graph: ${fault}`);
  return graph;
};
