import type { Spec } from "../../../../scripts/workflow/file/spec.ts";
import { emptySource } from "../../../../src/lib/lmx/message/message-source.ts";
import { emptyGraph } from "../../../../src/lib/workflow-graph/create.ts";
import { node } from "../../../../src/lib/workflow-graph/edges.ts";
import { addBranch, insertNode } from "../../../../src/lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../src/lib/workflow-graph/remove.ts";
import { reroute } from "../../../../src/lib/workflow-graph/reroute.ts";
import type { CreatedType, Edit, Graph } from "../../../../src/lib/workflow-graph/types.ts";
import { type NodeChanges, updateNode } from "../../../../src/lib/workflow-graph/update.ts";
import type { Random } from "../../../workerd/simulation/random.ts";
import { randomGraph } from "../../email/policy/workflows/simulation/random-graph.ts";

const TYPES: CreatedType[] = [
  ...(["AudienceFilter", "BranchNode", "ExperimentBranchNode", "TimerAction"] as const),
  ...(["SendEmailAction", "VariantNode"] as const),
];
const CHANGES: NodeChanges[] = [
  { typeName: "EventTrigger", eventName: "trialStarted" },
  { typeName: "SignupTrigger" },
  { typeName: "AddToListTrigger", reEligible: true },
  { amount: 3, unit: "h" },
  { amount: 0.000_000_1 },
  { samplingRate: 12.5 },
  { isControl: true },
  { isControl: false },
  { audienceFilter: { match: "any", conditions: [{ type: "optIn", status: null }] }, appliesDownstream: true },
  { audienceSegmentId: "seg_1" },
];

const editOf = (graph: Graph, random: Random, id: (prefix: string) => string): Graph | undefined => {
  const ids = Object.keys(graph.nodes);
  const [a, b] = [random.one(ids), random.one(ids)];
  const to = random.chance(0.8) ? (random.shuffled(node(graph, a).nextNodeIds)[0] ?? b) : b;
  const kinds: (() => Edit)[] = [
    () => insertNode(graph, random.one(TYPES), { insertMode: "between", fromNodeId: a, toNodeId: to }, id),
    () => insertNode(graph, random.one(TYPES), { insertMode: "before", toNodeId: a }, id),
    () => addBranch(graph, a, id),
    () => reroute(graph, a, b),
    () => reroute(graph, a, b),
    () => removeNode(graph, a),
    () => updateNode(graph, a, random.one(CHANGES)),
    ...(random.chance(0.1) ? [() => removeBelow(graph, a)] : []),
  ];
  const edit = random.one(kinds)();
  return "refusal" in edit ? undefined : edit.graph;
};

/** A graph after random edits, also with unusual forms such as a branch that leads directly to a mail. */
const editedGraph = (random: Random, edits: number): Graph => {
  let last = 0;
  const id = (prefix: string) => `${prefix}_${++last}`;
  let graph = emptyGraph(id);
  for (let i = 0; i < edits; i++) graph = editOf(graph, random, id) ?? graph;
  return graph;
};

const SUBJECTS = ["", "Welcome", "Your trial", "no", "3", "Straße: {contact.firstName}", "# not a comment"];
const TEXTS = [
  "",
  "<H1>Hi</H1>",
  "<H1>Hi</H1>\n<Paragraph>  two lines\t</Paragraph>\n",
  " <Paragraph>a: b</Paragraph>",
  "./mail.lmx",
];

const specOf = (random: Random, graph: Graph): Spec => ({
  name: random.one(["Trial", "yes", "12"]),
  description: random.one(["", "The first days: a try"]),
  list: random.one([null, "lst_1"]),
  graph,
  messages: Object.fromEntries(
    Object.values(graph.nodes).flatMap((one) =>
      one.typeName === "SendEmailAction"
        ? [
            [
              one.emailMessageId,
              {
                ...emptySource,
                subject: random.one(SUBJECTS),
                lmx: random.one(TEXTS),
                fromName: random.one(["", "Acme"]),
                emailFormat: random.one(["styled", "plain"] as const),
                contactPropertiesFallbacks: random.chance(0.5)
                  ? { firstName: "there" }
                  : ({} as Record<string, string>),
              },
            ],
          ]
        : [],
    ),
  ),
});

/** A random workflow: one that could be started, or one after random edits. */
export const randomSpec = (random: Random): Spec =>
  specOf(
    random,
    random.chance(0.5) ? randomGraph(random, String(random.int(1, 9))) : editedGraph(random, random.int(1, 120)),
  );
