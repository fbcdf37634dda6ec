import { emptyGraph } from "../../../src/lib/workflow-graph/create.ts";
import { count } from "../../lib/cli.ts";
import { namedLike } from "../../lib/named.ts";
import { changeLines, opText } from "./change-lines.ts";
import { type Api, type Current, readCurrent, readLibrary, readNames, workflowNames } from "./current.ts";
import type { Op } from "./ops.ts";
import { type Plan, planOf } from "./plan.ts";
import { readWorkflow } from "./read.ts";
import { countWaiting, sendOps, waitingError } from "./send.ts";
import type { Spec } from "./spec.ts";

export type World = {
  api: Api;
  load(path: string): string;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  say(line: string): void;
};

/** `workflow`: its id, if its name differs from the file. `edit`: changes the file's content. */
export type ApplyOptions = {
  workflow?: string;
  discard?: boolean;
  pauseAndResume?: boolean;
  edit?(spec: Spec): Spec;
};

/** A file and its workflow. `current`: undefined without one. */
export type Compared = { wanted: Spec; current: Current | undefined; plan: Plan };

export const compare = async (
  file: string,
  { api, load }: World,
  { workflow, edit = (spec) => spec }: ApplyOptions,
): Promise<Compared> => {
  const text = load(file);
  const known = { names: await readNames(api), load };
  const { messages } = readWorkflow(file, text, known);
  const library = await readLibrary(api, Object.values(messages));
  const wanted = edit(readWorkflow(file, text, { ...known, library }));
  const id = workflow ?? (await idOfName(api, wanted.name));
  const current = id === undefined ? undefined : await readCurrent(api, id);
  return { wanted, current, plan: planOf(wanted, current?.spec ?? newSpec(wanted)) };
};

const idOfName = async (api: Api, name: string): Promise<string | undefined> => {
  const [one, ...more] = namedLike(await workflowNames(api), name.trim());
  if (more.length === 0) return one?.id;
  const ids = [one, ...more].map((workflow) => workflow?.id).join(", ");
  throw new Error(`${more.length + 1} workflows have the name "${name}": ${ids}. Name one with --workflow.`);
};

const newSpec = ({ name, description, list }: Spec): Spec => {
  let n = 0;
  return { name, description, list, graph: emptyGraph((prefix) => `${prefix}_new${++n}`), messages: {} };
};

/** Prints the plan of `apply`. Changes nothing. */
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

const printPlan = (compared: Compared, say: (line: string) => void): void => {
  const { current, plan } = compared;
  printChanges(compared, say);
  if (current && plan.ops.length === 0) return;
  say(`\n${count(plan.ops.length + (current ? 0 : 1), "request")}`);
  if (!current) say("  POST /v1/workflows");
  for (const op of plan.ops) say(`  ${opText(op)}`);
};

const printChanges = ({ wanted, current, plan }: Compared, say: (line: string) => void): void => {
  if (!current) say(`There is no workflow "${wanted.name}" yet: it is created.\n`);
  if (current && plan.ops.length === 0) say("Nothing to do: the workflow is as the file says.");
  else for (const line of changeLines(plan, wanted, current?.spec ?? newSpec(wanted))) say(line);
};

/** The API refuses these changes for an active workflow. */
const isLocked = ({ ops }: Plan): boolean => ops.some((op) => op.do !== "properties");

const sendingText = (name: string): string =>
  `The workflow is sending, and cannot be changed while it sends. Pause it first: npm run workflow -- pause "${name}". Or add --pause-and-resume.`;

/**
 * Applies a file idempotently, in valid steps. Resumes only a workflow that it paused.
 * @throws if it is active or waiting contacts would leave, unless allowed
 */
export const applyFile = async (
  file: string,
  world: World,
  options: ApplyOptions,
): Promise<{ id: string; changed: boolean }> => {
  const { api, say } = world;
  const compared = await compare(file, world, options);
  const { wanted, current: found, plan } = compared;
  printChanges(compared, say);
  if (found && plan.ops.length === 0) {
    if (options.pauseAndResume) sayPaused(found, say);
    return { id: found.id, changed: false };
  }
  if (found?.status === "Sending" && isLocked(plan)) {
    if (!options.pauseAndResume) throw new Error(sendingText(found.spec.name));
    await changePaused(found, plan, file, world, options);
    return { id: found.id, changed: true };
  }
  const current = found ?? (await create(api, wanted));
  const { ops } = found ? plan : planOf(wanted, current.spec);
  await checkWaiting(api, ops, current, options);
  await sendAll(ops, current, world, options);
  if (options.pauseAndResume) sayPaused(current, say);
  return { id: current.id, changed: true };
};

const sayPaused = ({ status, spec }: Current, say: (line: string) => void): void => {
  if (status.startsWith("Paused"))
    say(`The workflow was paused before, and stays paused. To resume it: ${resumeLine(spec.name)}`);
};

const resumeLine = (name: string): string => `npm run workflow -- resume "${name}"`;

/** The workflow resumes when complete, or if nothing was changed. */
const changePaused = async (
  current: Current,
  { ops }: Plan,
  file: string,
  world: World,
  options: ApplyOptions,
): Promise<void> => {
  const { id, revision, spec } = current;
  const now = await world.api.workflows.get({ workflowId: id });
  if (now.status !== "Sending" || now.workflowRevisionId !== revision)
    throw new Error("Another person changed or paused the workflow in the meantime. Nothing was changed: apply again.");
  await world.pause(id);
  world.say(`Paused. If this command is interrupted, the workflow stays paused: ${resumeLine(spec.name)}`);
  let isChanged = false;
  try {
    // An active workflow does not count the contacts that a change removes.
    await checkWaiting(world.api, ops, current, options);
    isChanged = true;
    await sendAll(ops, current, world, options);
    await world.resume(id);
    world.say("Resumed.");
  } catch (error) {
    const isResumed = !isChanged && (await succeeds(world.resume(id)));
    if (isResumed) throw error;
    const finish = `npm run workflow -- apply ${file}${options.discard ? " --discard" : ""}`;
    throw new Error(
      `${(error as Error).message}\nThe workflow is paused now. To finish the change: ${finish}, then ${resumeLine(spec.name)}`,
    );
  }
};

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const checkWaiting = async (
  api: Api,
  ops: readonly Op[],
  current: Current,
  { discard }: ApplyOptions,
): Promise<void> => {
  const waiting = discard ? 0 : await countWaiting(api, ops, current);
  if (waiting > 0) throw waitingError(waiting);
};

const sendAll = async (
  ops: readonly Op[],
  current: Current,
  { api, say }: World,
  { discard = false }: ApplyOptions,
): Promise<void> => {
  await sendOps(api, ops, current, { discard, onSent: (op) => say(`  ${opText(op)}`) });
  say(`${count(ops.length, "request")} sent.`);
};

const create = async (api: Api, { name, description, list }: Spec): Promise<Current> => {
  const { id } = await api.workflows.create({ name, description, mailingListId: list });
  return readCurrent(api, id);
};
