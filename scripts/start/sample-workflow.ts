import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Graph, WorkflowNode } from "../../src/lib/workflow-graph/types.ts";
import { applyFile, compare } from "../workflow/file/apply.ts";
import { planOf } from "../workflow/file/plan.ts";
import type { Spec } from "../workflow/file/spec.ts";
import { filesOf, type Service } from "../workflow/files.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "src", "email", "samples", "workflows", "trial.yaml");

/** Seconds. */
export const FAST_DAY = 3;

const DAYS = { m: 1 / 1440, h: 1 / 24, d: 1 } as const;

const fastNode = (workflowNode: WorkflowNode): WorkflowNode => {
  if (workflowNode.typeName !== "TimerAction") return workflowNode;
  const minutes = (workflowNode.amount * DAYS[workflowNode.unit] * FAST_DAY) / 60;
  return { ...workflowNode, amount: Math.round(minutes * 1000) / 1000, unit: "m" };
};

const fast = (spec: Spec): Spec => {
  const nodes = Object.entries(spec.graph.nodes).map(([id, one]) => [id, fastNode(one)] as const);
  const graph: Graph = { ...spec.graph, nodes: Object.fromEntries(nodes) };
  return { ...spec, graph };
};

/** Applies and starts the sample workflow. An edited, paused or stopped one is kept. Returns text to print. */
export const sampleWorkflow = async (service: Pick<Service, "admin" | "api">, isFast: boolean): Promise<string> => {
  const api = service.api();
  // A team learns the property from its first contact with a plan.
  const properties = await api.contactProperties.list({ list: "custom" });
  if (!properties.some(({ key }) => key === "plan"))
    await api.contactProperties.create({ name: "plan", type: "string" });
  const world = filesOf(
    service,
    (path) => readFileSync(path, "utf8"),
    () => {},
  );
  const { wanted: usual, current } = await compare(SAMPLE, world, {});
  const { name, description } = usual;
  const isDone = (form: Spec) => current !== undefined && planOf(form, current.spec).ops.length === 0;
  if (current && current.status !== "Draft") {
    if (isDone(isFast ? fast(usual) : usual)) return `${name}: ${current.status}`;
    if (!isDone(isFast ? usual : fast(usual))) return `${name}: ${current.status}, edited`;
  }
  // A draft from another source belongs to a person.
  if (current?.status === "Draft" && current.spec.description !== description) return `${name}: Draft`;
  const form = isFast ? { edit: fast } : {};
  const { id } = await applyFile(SAMPLE, world, { ...form, pauseAndResume: current?.status === "Sending" });
  if (current && current.status !== "Draft") return `${name}: ${current.status}`;
  const { status } = await service.admin<{ status: string }>("POST", `/${id}/start`, {});
  return `${name}: ${status}`;
};
