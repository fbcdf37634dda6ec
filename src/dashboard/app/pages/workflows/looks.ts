import type { ShortNode } from "../../../../lib/contract/workflows/nodes.ts";
import { shapesOf } from "../../parts/graph/layout.ts";
import type { Look, Tone } from "../../parts/graph/types.ts";
import type { IconName } from "../../parts/icon-paths.ts";
import { clock, relative } from "../../parts/time.ts";
import type { NodeStatus, Status, Workflow } from "./types.ts";
import { numberText } from "./words.ts";

const KINDS: Readonly<Record<string, readonly [IconName, Tone]>> = {
  SendEmailAction: ["mail", "mail"],
  TimerAction: ["clock", "wait"],
  AudienceFilter: ["segments", "other"],
  BranchNode: ["branch", "other"],
  ExperimentBranchNode: ["test", "other"],
  VariantNode: ["branch", "other"],
  ExitAction: ["done", "end"],
};

const NAMES: Readonly<Partial<Record<ShortNode["typeName"], string>>> = {
  BlankTrigger: "Nothing starts it yet",
  SignupTrigger: "A person is created",
  AddToListTrigger: "A person joins the mailing list",
  BranchNode: "Branch",
  ExperimentBranchNode: "Experiment",
  ExitAction: "Out",
};

/** The name of a variant by its place, as in a table of results. */
const letterOf = (index: number): string => String.fromCharCode(65 + (index % 26));

/** Short name of a step, such as "Wait 3 days". `text`: the service's, such as "the timer of 3 days". */
const nameOf = (text: string, one: ShortNode, siblings: readonly string[], id: string): string => {
  switch (one.typeName) {
    case "EventTrigger":
      return one.eventName === null ? "An event, not chosen yet" : `Event ${one.eventName}`;
    case "ContactPropertyTrigger":
      return one.contactPropertyQuery === null
        ? "A property, not chosen yet"
        : `Property ${one.contactPropertyQuery.key} changes`;
    case "TimerAction":
      return text.replace(/^the timer of/, "Wait");
    case "SendEmailAction":
      return one.subject === "" ? "Mail without a subject" : one.subject;
    case "AudienceFilter": {
      const condition = /^the filter \((.*)\)$/s.exec(text)?.[1];
      if (condition !== undefined) return condition.charAt(0).toUpperCase() + condition.slice(1);
      return siblings.length > 1 && siblings.at(-1) === id ? "Everyone else" : "Everyone";
    }
    case "VariantNode":
      return one.isControl ? "Control" : `Variant ${letterOf(siblings.indexOf(id))}`;
    default:
      return NAMES[one.typeName] ?? text;
  }
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Formats "340 passed · 25 in 24 h". The exit counts people who came through. */
export const countsText = ({ typeName, passed, passedLastDay, left }: NodeStatus): string => {
  const lost = sum(left) - (left.completed ?? 0);
  const through =
    typeName === "ExitAction" ? `${numberText(left.completed ?? 0)} came through` : `${numberText(passed)} passed`;
  return [
    through,
    ...(passedLastDay > 0 ? [`${numberText(passedLastDay)} in 24 h`] : []),
    ...(lost > 0 ? [`${numberText(lost)} ended here`] : []),
  ].join(" · ");
};

const factOf = (node: NodeStatus, isWay: boolean): string => {
  if (isWay) return `${numberText(node.passed)} took it`;
  if (node.waiting > 0 && node.due === 0 && node.nextWake !== null)
    return `Next ${relative(Date.parse(node.nextWake), clock())}`;
  return countsText(node);
};

type Notes = {
  /** Steps of a trial. */
  traced: readonly string[];
  /** Problems that block the start, by step. */
  problems: ReadonlyMap<string, string>;
  isEdited: (nodeId: string) => boolean;
};

const NO_NOTES: Notes = { traced: [], problems: new Map(), isEdited: () => false };

/** Looks of all steps by id, the same in the drawing, the list and the panel. */
export const looksOf = (workflow: Workflow, status: Status, given = NO_NOTES): ReadonlyMap<string, Look> => {
  const { nodes } = workflow;
  const shapes = shapesOf(nodes);
  const siblingsOf = (id: string): readonly string[] =>
    Object.values(nodes).find((one) => one.nextNodeIds.length > 1 && one.nextNodeIds.includes(id))?.nextNodeIds ?? [];
  const looks = status.nodes.flatMap((node): [string, Look][] => {
    const { nodeId, typeName, text, waiting } = node;
    const one = nodes[nodeId];
    if (one === undefined) return [];
    const isWay = shapes.get(nodeId) === "way";
    const siblings = siblingsOf(nodeId);
    const name = nameOf(text, one, siblings, nodeId);
    const [icon, tone] = KINDS[typeName] ?? (["event", "start"] as const);
    const problem = given.problems.get(nodeId);
    const notes = [
      ...(problem === undefined ? [] : [{ text: problem, isBad: true }]),
      ...(name === "Everyone" && isWay && siblings.length > 1
        ? [{ text: "Everyone takes this way: nobody is left for the ways after it" }]
        : []),
      ...(given.isEdited(nodeId) ? [{ text: "Not saved yet" }] : []),
      ...(given.traced.includes(nodeId) ? [{ text: "The trial came here" }] : []),
    ];
    return [[nodeId, { icon, tone, name, fact: factOf(node, isWay), here: waiting, notes }]];
  });
  return new Map(looks);
};

export const nodeOf = ({ nodes }: Pick<Status, "nodes">, nodeId: string): NodeStatus | undefined =>
  nodes.find((node) => node.nodeId === nodeId);

/** Short names of steps by id. */
export const namesIn = ({ workflow, status }: { workflow: Workflow; status: Status }) => {
  const looks = looksOf(workflow, status);
  return (nodeId: string): string => looks.get(nodeId)?.name ?? nodeId;
};
