import { emptyGraph } from "../../../src/email/workflows/graph/create.ts";
import { count } from "../../lib/cli.ts";
import { type Api, type Current, listWorkflows, readCurrent, readNames } from "./current.ts";
import { type Plan, planOf } from "./plan.ts";
import { readWorkflow } from "./read.ts";
import { countWaiting, sendOps, waitingError } from "./send.ts";
import type { Spec } from "./spec.ts";
import { changeLines, opText } from "./words.ts";

/** `load`: reads a file. `pause`, `resume`: the operator's, of a workflow that is sending. `say`: prints a line. */
export type World = {
  api: Api;
  load(path: string): string;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  say(line: string): void;
};

/** `workflow`: the id of the workflow, where it has another name than the file. `edit`: changes what the file says. */
export type ApplyOptions = {
  workflow?: string;
  discard?: boolean;
  pauseAndResume?: boolean;
  edit?(spec: Spec): Spec;
};

/** A file beside what there is. `current`: undefined where there is no workflow of the name. */
export type Compared = { wanted: Spec; current: Current | undefined; plan: Plan };

/** Compares a file with the workflow of its name, or with the one that is named. */
export const compare = async (
  file: string,
  { api, load }: World,
  { workflow, edit = (spec) => spec }: ApplyOptions,
): Promise<Compared> => {
  const wanted = edit(readWorkflow(file, load(file), { names: await readNames(api), load }));
  const id = workflow ?? (await idOfName(api, wanted.name));
  const current = id === undefined ? undefined : await readCurrent(api, id);
  return { wanted, current, plan: planOf(wanted, current?.spec ?? newSpec(wanted)) };
};

const idOfName = async (api: Api, name: string): Promise<string | undefined> => {
  const [one, ...more] = (await listWorkflows(api)).filter((workflow) => workflow.name === name.trim());
  if (more.length === 0) return one?.id;
  const ids = [one, ...more].map((workflow) => workflow?.id).join(", ");
  throw new Error(`${more.length + 1} workflows have the name "${name}": ${ids}. Name one with --workflow.`);
};

/** A workflow as the API creates it. */
const newSpec = ({ name, description, list }: Spec): Spec => {
  let n = 0;
  return { name, description, list, graph: emptyGraph((prefix) => `${prefix}_new${++n}`), messages: {} };
};

/** Prints what `apply` would do. Changes nothing. */
export const planFile = async (file: string, world: World, options: ApplyOptions): Promise<Compared> => {
  const compared = await compare(file, world, options);
  const { current, plan } = compared;
  printPlan(compared, world.say);
  if (!current || plan.ops.length === 0) return compared;
  if (current.status === "Sending") {
    if (isLocked(plan)) world.say(`\n${sendingText(current.spec.name)}`);
    return compared;
  }
  const waiting = await countWaiting(world.api, plan.ops, current);
  if (waiting > 0) world.say(`\n${waitingError(waiting).message}`);
  return compared;
};

const printPlan = ({ wanted, current, plan }: Compared, say: (line: string) => void): void => {
  if (!current) say(`There is no workflow "${wanted.name}" yet: it is created.\n`);
  if (current && plan.ops.length === 0) {
    say("Nothing to do: the workflow is as the file says.");
    return;
  }
  for (const line of changeLines(plan, wanted, current?.spec ?? newSpec(wanted))) say(line);
  say(`\n${count(plan.ops.length + (current ? 0 : 1), "request")}`);
  if (!current) say("  POST /v1/workflows");
  for (const op of plan.ops) say(`  ${opText(op)}`);
};

/** True where a plan has changes that the API refuses while the workflow is sending. */
const isLocked = ({ ops }: Plan): boolean => ops.some((op) => op.do !== "properties");

const sendingText = (name: string): string =>
  `The workflow is sending, and the API changes none that is. Pause it first: npm run workflow -- pause "${name}". Or add --pause-and-resume.`;

/**
 * Gives a workflow the content of a file, and creates it where there is none of the name. Each request leaves a valid workflow,
 * and the plan is made from what there is: after a failure, the same command does the rest. Done twice, it changes nothing.
 *
 * @returns the id of the workflow, and whether anything changed
 * @throws when the workflow is sending, or waiting contacts would leave it, unless the options allow that
 */
export const applyFile = async (
  file: string,
  world: World,
  options: ApplyOptions,
): Promise<{ id: string; changed: boolean }> => {
  const { api, say } = world;
  const { wanted, current: found, plan } = await compare(file, world, options);
  const current = found ?? (await create(api, wanted));
  if (found && plan.ops.length === 0) {
    // An apply that was killed may have left it paused.
    if (options.pauseAndResume && found.status.startsWith("Paused")) {
      await world.resume(found.id);
      say("The workflow was as the file says. It is resumed.");
    } else say("Nothing to do: the workflow is as the file says.");
    return { id: found.id, changed: false };
  }
  const isSending = current.status === "Sending" && isLocked(plan);
  if (isSending && !options.pauseAndResume) throw new Error(sendingText(current.spec.name));
  if (isSending) await world.pause(current.id);
  const { ops } = planOf(wanted, current.spec);
  // A workflow that is sending does not say how many contacts a change would take out.
  const waiting = options.discard ? 0 : await countWaiting(api, ops, current);
  if (waiting > 0) {
    if (isSending) await world.resume(current.id);
    throw waitingError(waiting);
  }
  await sendOps(api, ops, current, { discard: options.discard ?? false, onSent: (op) => say(`  ${opText(op)}`) });
  say(`${count(ops.length, "request")} sent.`);
  if (options.pauseAndResume && current.status !== "Draft") await world.resume(current.id);
  return { id: current.id, changed: true };
};

const create = async (api: Api, { name, description, list }: Spec): Promise<Current> => {
  const { id } = await api.workflows.create({ name, description, mailingListId: list });
  return readCurrent(api, id);
};
