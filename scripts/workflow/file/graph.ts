import type { Graph, NodeFields, NodeType, WorkflowNode } from "../../../src/lib/workflow-graph/types.ts";
import { updateNode } from "../../../src/lib/workflow-graph/update.ts";
import { faultOf } from "../../../src/lib/workflow-graph/validate.ts";
import { type Names, readFilter } from "./filter.ts";
import { type Fault, type Path, pathText } from "./problem.ts";
import type { FileMail, FilePath, FileStep, FileTrigger, WorkflowFile } from "./schema.ts";
import { readTrigger } from "./trigger.ts";

/** Mails of a file by the `emailMessageId` of their nodes, each with its path. */
export type FileMails = ReadonlyMap<string, { mail: FileMail; path: Path }>;

type Building = {
  nodes: Record<string, WorkflowNode>;
  mails: Map<string, { mail: FileMail; path: Path }>;
  named: Map<string, string>;
  paths: Map<string, Path>;
  names: Names;
  fault: Fault;
};

const ROOT = "trigger";
const CYCLE = "there is a cycle";
/** Id of the exit, and its name for `goto`. */
export const EXIT = "exit";

/** Number of graph nodes of a file. */
export const sizeOf = ({ steps }: Pick<WorkflowFile, "steps">): number => 2 + sizeOfSteps(steps);

const sizeOfSteps = (steps: readonly FileStep[]): number =>
  steps.reduce((sum, step) => {
    const paths = pathsOf(step).flatMap(([, all]) => all);
    const below = paths.reduce(
      (all, filePath) => all + (filePath.direct ? 0 : 1) + sizeOfSteps(filePath.steps ?? []),
      0,
    );
    return sum + (step.goto === undefined ? 1 : 0) + below;
  }, 0);

/** Builds the graph of a file. The id of a node is its path in the file. */
export const readGraph = (file: WorkflowFile, names: Names, fault: Fault): { graph: Graph; mails: FileMails } => {
  const building: Building = {
    nodes: {},
    mails: new Map(),
    named: new Map([[EXIT, EXIT]]),
    paths: new Map(),
    names,
    fault,
  };
  nameSteps(building, file.steps, ["steps"]);
  add(building, EXIT, [], "ExitAction", [], {});
  const first = listOf(building, file.steps, ["steps"], EXIT);
  addTrigger(building, file.trigger, first);
  const graph: Graph = { root: ROOT, exit: EXIT, lastK: Object.keys(building.nodes).length, nodes: building.nodes };
  const wrong = faultOf(graph);
  if (wrong !== undefined) graphFault(building, wrong);
  return { graph, mails: building.mails };
};

const graphFault = ({ paths, fault }: Building, wrong: string): void => {
  const [id = "", ...rest] = wrong.split(": ");
  const path = paths.get(id);
  if (!path) fault(["steps"], wrong === CYCLE ? `${wrong}: a goto may not lead back to a step above it` : wrong);
  else fault(path, rest.join(": ") === "cannot be reached" ? "no step leads here" : rest.join(": "));
};

const add = <Type extends NodeType>(
  { nodes, paths }: Building,
  id: string,
  path: Path,
  typeName: Type,
  nextNodeIds: string[],
  fields: NodeFields[Type],
): string => {
  nodes[id] = { typeName, k: Object.keys(nodes).length + 1, nextNodeIds, ...fields } as unknown as WorkflowNode;
  paths.set(id, path);
  return id;
};

const addTrigger = (building: Building, trigger: FileTrigger | undefined, first: string): void => {
  const { typeName, ...fields } = readTrigger(trigger, building.names, (path, message) =>
    building.fault(["trigger", ...path], message),
  );
  add(building, ROOT, ["trigger"], typeName, [first], fields as NodeFields[typeof typeName]);
};

const nameSteps = (building: Building, steps: readonly FileStep[], at: Path): void => {
  const { named, fault } = building;
  const note = (name: string | undefined, path: Path) => {
    if (name === undefined) return;
    if (named.has(name)) fault([...path, "name"], `"${name}" is the name of another step: names are unique`);
    named.set(name, pathText(path));
  };
  for (const [i, step] of steps.entries()) {
    if (step.goto === undefined) note(step.name, [...at, i]);
    else if (step.name !== undefined)
      fault([...at, i, "name"], "a goto has no name: give the name to the step that it leads to");
    for (const [key, paths] of pathsOf(step))
      for (const [j, one] of paths.entries()) {
        const path = [...at, i, ...key, j];
        note(one.name, path);
        nameSteps(building, one.steps ?? [], [...path, "steps"]);
      }
  }
};

const pathsOf = ({ branch, experiment }: FileStep): [key: string[], paths: readonly FilePath[]][] => [
  ...(branch ? [[["branch"], branch] as [string[], FilePath[]]] : []),
  ...(experiment ? [[["experiment", "paths"], experiment.paths] as [string[], FilePath[]]] : []),
];

/** `end` is the node that follows the list. Returns the first node. */
const listOf = (building: Building, steps: readonly FileStep[], at: Path, end: string): string => {
  let next = end;
  for (const [i, step] of [...steps.entries()].reverse()) {
    if (step.goto !== undefined && i < steps.length - 1)
      building.fault([...at, i + 1], "stands after a goto, so no contact comes here");
    next = stepOf(building, step, [...at, i], next);
  }
  return next;
};

const stepOf = (building: Building, step: FileStep, path: Path, next: string): string => {
  const { fault, names, mails, named } = building;
  const id = pathText(path);
  if (step.goto !== undefined) {
    const target = named.get(step.goto);
    if (target === undefined) fault([...path, "goto"], `there is no step with the name "${step.goto}"`);
    return target ?? next;
  }
  if (step.wait !== undefined) {
    const timer = timerOf(step.wait, path, fault);
    add(building, id, path, "TimerAction", [next], timer);
    const edit = updateNode({ root: ROOT, exit: EXIT, lastK: 0, nodes: building.nodes }, id, timer);
    if ("refusal" in edit) fault([...path, "wait"], edit.refusal.message.replace(/^payload\.\w+: /, ""));
    return id;
  }
  if (step.send) {
    mails.set(id, { mail: step.send, path: [...path, "send"] });
    return add(building, id, path, "SendEmailAction", [next], { emailMessageId: id });
  }
  if (step.filter) {
    const below: Fault = (rest, message) => fault([...path, "filter", ...rest], message);
    return add(building, id, path, "AudienceFilter", [next], readFilter(step.filter, names, below));
  }
  const [[key, paths] = [[], []]] = pathsOf(step);
  const children = paths.map((one, i) =>
    pathOf(building, one, [...path, ...key, i], next, step.experiment !== undefined),
  );
  if (!step.experiment) return add(building, id, path, "BranchNode", children, {});
  return add(building, id, path, "ExperimentBranchNode", children, { samplingRate: step.experiment.percent });
};

const pathOf = (building: Building, filePath: FilePath, path: Path, next: string, isVariant: boolean): string => {
  const first = listOf(building, filePath.steps ?? [], [...path, "steps"], next);
  const id = pathText(path);
  if (filePath.direct) {
    if (filePath.filter !== undefined || filePath.control || filePath.name !== undefined)
      building.fault(path, "a direct path has steps only");
    return first;
  }
  if (isVariant) return add(building, id, path, "VariantNode", [first], { isControl: filePath.control ?? false });
  const below: Fault = (rest, message) => building.fault([...path, "filter", ...rest], message);
  const audience = readFilter(filePath.filter ?? "everyone", building.names, below);
  return add(building, id, path, "AudienceFilter", [first], audience);
};

const UNITS: Readonly<Record<string, "m" | "h" | "d">> = {
  m: "m",
  min: "m",
  minute: "m",
  minutes: "m",
  h: "h",
  hour: "h",
  hours: "h",
  d: "d",
  day: "d",
  days: "d",
};

const timerOf = (text: string, path: Path, fault: Fault): NodeFields["TimerAction"] => {
  const [, number = "", word = ""] = /^\s*([\d.]+(?:e-?\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? [];
  const [amount, unit] = [Number(number), UNITS[word.toLowerCase()]];
  if (number !== "" && Number.isFinite(amount) && unit !== undefined) return { amount, unit };
  fault([...path, "wait"], `"${text}" must be a time such as 3 d, 12 h or 30 m`);
  return { amount: 0, unit: "m" };
};
