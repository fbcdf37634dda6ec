import { stringify } from "yaml";
import { emptySource, FALLBACKS, type MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import { node } from "../../../src/lib/workflow-graph/edges.ts";
import { type Line, type Path, type Tree, treeOf } from "../../../src/lib/workflow-graph/tree.ts";
import type { NodeOf, Trigger } from "../../../src/lib/workflow-graph/types.ts";
import { type Names, writeFilter } from "./filter.ts";
import { EXIT } from "./graph.ts";
import type { FileMail, FilePath, FileStep, WorkflowFile } from "./schema.ts";
import type { Spec } from "./spec.ts";
import { writeTrigger } from "./trigger.ts";

/** Writes a workflow as YAML, or as JSON with `asJson`. `readWorkflow` restores it. */
export const writeWorkflow = (spec: Spec, names: Names, asJson = false): string => {
  const file = fileOf(spec, names);
  return asJson ? `${JSON.stringify(file, null, 2)}\n` : stringify(file, { lineWidth: 0, blockQuote: "literal" });
};

type Writing = { spec: Spec; tree: Tree; names: ReadonlyMap<string, string>; segmentOf(id: string): string };

const fileOf = (spec: Spec, names: Names): WorkflowFile => {
  const { name, description, list, graph } = spec;
  const tree = treeOf(graph);
  const writing: Writing = {
    spec,
    tree,
    names: namesOf(tree, graph.exit),
    segmentOf: (id) => nameOf(names.segments, id),
  };
  const trigger = writeTrigger(node(graph, graph.root) as Trigger);
  return {
    name,
    ...(description === "" ? {} : { description }),
    ...(list === null ? {} : { list: nameOf(names.lists, list) }),
    ...(trigger === undefined ? {} : { trigger }),
    steps: stepsOf(tree.lines, writing),
  };
};

const nameOf = (ids: ReadonlyMap<string, string>, id: string): string =>
  [...ids].find(([name, of]) => of === id && name !== id)?.[0] ?? id;

const namesOf = ({ named }: Tree, exit: string): ReadonlyMap<string, string> =>
  new Map([...named].map((id, i) => [id, id === exit ? EXIT : `step ${i + 1}`]));

const stepsOf = (lines: readonly Line[], writing: Writing): FileStep[] =>
  lines.map((line) => {
    if ("goto" in line) return { goto: writing.names.get(line.goto) };
    return { ...nameIn(line.node, writing), ...stepOf(line, writing) };
  });

const nameIn = (id: string, { names }: Writing) => (names.has(id) ? { name: names.get(id) } : {});

const stepOf = ({ node: id, paths = [] }: Extract<Line, { node: string }>, writing: Writing): FileStep => {
  const { graph, messages } = writing.spec;
  const workflowNode = node(graph, id);
  switch (workflowNode.typeName) {
    case "TimerAction":
      return { wait: `${workflowNode.amount} ${workflowNode.unit}` };
    case "SendEmailAction":
      return { send: mailOf(messages[workflowNode.emailMessageId] ?? emptySource) };
    case "AudienceFilter":
      return { filter: writeFilter(workflowNode, writing.segmentOf) };
    case "BranchNode":
      return { branch: paths.map((path) => pathOf(path, writing)) };
    default: {
      const { samplingRate } = workflowNode as NodeOf<"ExperimentBranchNode">;
      return { experiment: { percent: samplingRate, paths: paths.map((path) => pathOf(path, writing)) } };
    }
  }
};

const pathOf = ({ child, lines }: Path, writing: Writing): FilePath => {
  const steps = stepsOf(lines, writing);
  const below = steps.length > 0 ? { steps } : {};
  if (child === undefined) return { direct: true, ...below };
  const workflowNode = node(writing.spec.graph, child);
  const name = nameIn(child, writing);
  if (workflowNode.typeName === "AudienceFilter")
    return { ...name, filter: writeFilter(workflowNode, writing.segmentOf), ...below };
  const { isControl } = workflowNode as NodeOf<"VariantNode">;
  return { ...name, ...(isControl ? { control: true } : {}), ...below };
};

const SPACES = ["contact", "event", "data"] as const;

const mailOf = (mail: MessageSource): FileMail => {
  const lines = Object.entries(mail).filter(
    ([field, value]) =>
      typeof value === "string" && field !== "lmx" && value !== emptySource[field as keyof MessageSource],
  );
  const fallbacks = FALLBACKS.flatMap((field, i) =>
    Object.entries(mail[field]).map(([name, value]) => [`${SPACES[i]}.${name}`, value]),
  );
  const isLikeFile = /^[^<\n]*\.lmx$/.test(mail.lmx);
  return {
    ...(Object.fromEntries(lines) as FileMail),
    ...(fallbacks.length > 0 ? { fallbacks: Object.fromEntries(fallbacks) as Record<string, string> } : {}),
    ...(mail.lmx === "" ? {} : { lmx: isLikeFile ? { text: mail.lmx } : mail.lmx }),
  };
};
