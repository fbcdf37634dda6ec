import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Graph, WorkflowNode } from "../../src/lib/workflow-graph/types.ts";
import { applyFile, compare } from "../workflow/file/apply.ts";
import { planOf } from "../workflow/file/plan.ts";
import type { Spec } from "../workflow/file/spec.ts";
import { filesOf, type Service } from "../workflow/files.ts";

/** The sample workflow. */
export const SAMPLE = join(import.meta.dirname, "..", "..", "src", "email", "samples", "workflows", "trial.yaml");

/** Seconds that a day takes in the fast form. */
export const FAST_DAY = 3;

const DAYS = { m: 1 / 1440, h: 1 / 24, d: 1 } as const;

const fastNode = (one: WorkflowNode): WorkflowNode => {
  if (one.typeName !== "TimerAction") return one;
  const minutes = (one.amount * DAYS[one.unit] * FAST_DAY) / 60;
  return { ...one, amount: Math.round(minutes * 1000) / 1000, unit: "m" };
};

/** A workflow in which a day takes a few seconds. */
export const fast = (spec: Spec): Spec => {
  const nodes = Object.entries(spec.graph.nodes).map(([id, one]) => [id, fastNode(one)] as const);
  const graph: Graph = { ...spec.graph, nodes: Object.fromEntries(nodes) };
  return { ...spec, graph };
};

/**
 * Gives the team the sample workflow, started, with the code of `npm run workflow -- apply`. One that was edited, paused or
 * stopped stays as it is; the fast and the usual form replace each other.
 *
 * @returns what to print
 */
export const sampleWorkflow = async (service: Pick<Service, "admin" | "api">, isFast: boolean): Promise<string> => {
  const api = service.api();
  // The filter names it, and a team learns it from the first contact that has a plan.
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
  // A draft that was not made from the sample belongs to a person. One that was, was not finished.
  if (current?.status === "Draft" && current.spec.description !== description) return `${name}: Draft`;
  const form = isFast ? { edit: fast } : {};
  const { id } = await applyFile(SAMPLE, world, { ...form, pauseAndResume: current?.status === "Sending" });
  if (current && current.status !== "Draft") return `${name}: ${current.status}`;
  const { status } = await service.admin<{ status: string }>("POST", `/${id}/start`, {});
  return `${name}: ${status}`;
};
