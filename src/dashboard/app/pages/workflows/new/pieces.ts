import type { Request } from "../../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../../lib/contract/v1.ts";
import type { ShortNode, Workflow } from "../../../../../lib/contract/workflows/nodes.ts";
import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";
import type { Chosen, FirstMail, Step, Template } from "./templates.ts";

type Payload = Request<V1["workflows"]["updateNode"]>["payload"];

/** A request for the next part of a workflow. */
export type Part =
  | { make: "node"; from: string; to: string; type: CreatedType }
  | { make: "fields"; nodeId: string; payload: Payload }
  | { make: "mail"; emailMessageId: string; mail: FirstMail };

/** A template part. `part`: request if ready. `nodes`: existing node ids. */
export type Piece = { text: string; isDone: boolean; part?: Part; nodes: readonly string[] };

/** A workflow. `filled`: filters that restrict contacts, which `workflow` does not show. */
export type Seen = { workflow: Pick<Workflow, "rootNodeId" | "nodes">; filled: ReadonlySet<string> };

const triggerOf = ({ starts }: Template, { event, property, type, value }: Chosen): Payload | undefined => {
  if (starts === "signup") return { typeName: "SignupTrigger" };
  if (starts === "event") return { typeName: "EventTrigger", eventName: event, reEligible: false };
  if (starts === "list") return { typeName: "AddToListTrigger", reEligible: false };
  if (starts === "nothing") return undefined;
  const equal = type === "number" ? "numeric_equal" : "equal";
  const is =
    type === "boolean" || type === "date" || value === ""
      ? ({ operator: "not_empty", value: "" } as const)
      : { operator: equal, value: type === "number" ? Number(value) : value };
  const contactPropertyQuery = { key: property, was: { operator: "any", value: "" }, is } as const;
  return { typeName: "ContactPropertyTrigger", contactPropertyQuery, reEligible: true } as Payload;
};

const isSet = (root: ShortNode, { typeName }: Payload): boolean =>
  root.typeName === typeName &&
  !(root.typeName === "EventTrigger" && root.eventName === null) &&
  !(root.typeName === "ContactPropertyTrigger" && root.contactPropertyQuery === null);

const TYPES = {
  wait: "TimerAction",
  send: "SendEmailAction",
  filter: "AudienceFilter",
  experiment: "ExperimentBranchNode",
} as const;

const UNITS = { m: "minute", h: "hour", d: "day" } as const;

const wordsOf = (step: Step): string => {
  if (step.do === "wait") return `wait ${step.amount} ${UNITS[step.unit]}${step.amount === 1 ? "" : "s"}`;
  if (step.do === "send") return `the mail "${step.mail.subject}"`;
  return step.do === "filter" ? "the filter" : "the experiment";
};

const fillOf = (step: Step, id: string, shortNode: ShortNode, { filled }: Seen): Part | undefined => {
  if (step.do === "wait" && shortNode.typeName === "TimerAction") {
    const { amount, unit } = step;
    return shortNode.amount === amount && shortNode.unit === unit
      ? undefined
      : { make: "fields", nodeId: id, payload: { amount, unit } };
  }
  if (step.do === "send" && shortNode.typeName === "SendEmailAction")
    return shortNode.subject === ""
      ? { make: "mail", emailMessageId: shortNode.emailMessageId, mail: step.mail }
      : undefined;
  if (step.do === "filter") {
    const { filter: audienceFilter, appliesDownstream } = step;
    return filled.has(id) ? undefined : { make: "fields", nodeId: id, payload: { audienceFilter, appliesDownstream } };
  }
  if (step.do === "experiment" && shortNode.typeName === "ExperimentBranchNode" && shortNode.samplingRate !== step.rate)
    return { make: "fields", nodeId: id, payload: { samplingRate: step.rate } };
  return undefined;
};

const piecesBelow = (steps: readonly Step[], from: string | undefined, seen: Seen): Piece[] => {
  const { nodes } = seen.workflow;
  let at = from;
  return steps.flatMap((step) => {
    const text = wordsOf(step);
    const next = at === undefined ? undefined : nodes[at]?.nextNodeIds[0];
    const one = next === undefined ? undefined : nodes[next];
    const type = TYPES[step.do];
    const isThere = one?.typeName === type;
    const part: Part | undefined =
      at === undefined || next === undefined || one === undefined
        ? undefined
        : isThere
          ? fillOf(step, next, one, seen)
          : { make: "node", from: at, to: next, type };
    at = isThere ? next : undefined;
    const children = isThere && step.do === "experiment" ? one.nextNodeIds : [];
    const own: Piece = {
      text,
      isDone: isThere && part === undefined,
      nodes: isThere && next ? [next, ...children] : [],
      ...(part ? { part } : {}),
    };
    const ways =
      step.do === "experiment"
        ? step.ways.flatMap((way, index) => piecesBelow(way, isThere ? one.nextNodeIds[index] : undefined, seen))
        : [];
    return [own, ...ways];
  });
};

/** Template parts in build order. */
export const piecesOf = (template: Template, chosen: Chosen, seen: Seen): Piece[] => {
  const { rootNodeId, nodes } = seen.workflow;
  const payload = triggerOf(template, chosen);
  const root = nodes[rootNodeId];
  const trigger: Piece[] =
    payload === undefined || root === undefined
      ? []
      : isSet(root, payload)
        ? [{ text: "what starts it", isDone: true, nodes: [] }]
        : [{ text: "what starts it", isDone: false, nodes: [], part: { make: "fields", nodeId: rootNodeId, payload } }];
  return [...trigger, ...piecesBelow(template.steps(chosen), rootNodeId, seen)];
};

/** True if filling the node overwrites nothing. */
const isFresh = (one: ShortNode | undefined): boolean => {
  if (one?.typeName === "TimerAction") return one.amount === 1 && one.unit === "d";
  if (one?.typeName === "ExperimentBranchNode") return one.samplingRate === 50;
  return one?.typeName === "AudienceFilter" || one?.typeName === "BlankTrigger";
};

/** True if the build can continue. Manual edits prevent this, because parts could be created twice. */
export const canGoOn = ({ workflow: { nodes, rootNodeId } }: Seen, pieces: readonly Piece[]): boolean => {
  const open = pieces.findIndex(({ isDone }) => !isDone);
  const next = pieces[open];
  if (next === undefined) return true;
  const known = pieces.flatMap((piece) => piece.nodes);
  const isAlone = Object.entries(nodes).every(
    ([id, { typeName }]) => id === rootNodeId || typeName === "ExitAction" || known.includes(id),
  );
  const isLast = pieces.slice(open + 1).every((piece) => piece.nodes.length === 0);
  return isAlone && isLast && (next.part?.make !== "fields" || isFresh(nodes[next.part.nodeId]));
};
