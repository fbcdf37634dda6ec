import { RequestError } from "../../../api/client.ts";
import type { Team } from "../../../team/team.tsx";
import { type Beginning, createdOf } from "./beginning.ts";
import { canGoOn, type Part, type Piece, piecesOf } from "./pieces.ts";
import { templateOf } from "./templates.ts";

type V1 = Team["v1"];

/** Draft key of an incomplete workflow. */
export const unfinishedName = (team: string, workflowId: string): string => `workflow unfinished ${team} ${workflowId}`;

/** Creates the workflow, or finds it after a lost answer. Returns its id. */
export const createOnce = async (v1: V1, beginning: Beginning): Promise<string> => {
  const { name, key } = beginning;
  try {
    return (await v1.workflows.create(createdOf(beginning), { idempotencyKey: key })).id;
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "idempotency_key_used") throw error;
    const { data } = await v1.workflows.list({ perPage: "50" as never });
    const made = data.find((one) => one.name === name);
    if (!made) throw error;
    return made.id;
  }
};

/** Reads template parts and their state. */
export const readPieces = async (v1: V1, workflowId: string, { template, chosen }: Beginning) => {
  const workflow = await v1.workflows.get({ workflowId });
  const filters = Object.entries(workflow.nodes).filter(([, { typeName }]) => typeName === "AudienceFilter");
  const full = await Promise.all(filters.map(([nodeId]) => v1.workflows.getNode({ workflowId, nodeId })));
  const filled = full.filter((one) => one.typeName === "AudienceFilter" && one.audienceFilter !== null);
  const seen = { workflow, filled: new Set(filled.map(({ id }) => id)) };
  const pieces = piecesOf(templateOf(template), chosen, seen);
  return { revision: workflow.workflowRevisionId, pieces, canGoOn: canGoOn(seen, pieces) };
};

/** Builds missing parts. It checks first, so a retry creates no duplicates. */
export const buildOn = async (
  v1: V1,
  workflowId: string,
  beginning: Beginning,
  onProgress: (pieces: readonly Piece[]) => void,
): Promise<void> => {
  let before = "";
  for (;;) {
    const { revision, pieces, canGoOn: isOwn } = await readPieces(v1, workflowId, beginning);
    onProgress(pieces);
    if (!isOwn) throw new Error("Its steps were changed by hand meanwhile. Finish it on its page.");
    const part = pieces.find(({ isDone }) => !isDone)?.part;
    if (!part) return;
    const now = JSON.stringify(part);
    if (now === before) throw new Error("The workflow does not take this part of the template. Add it by hand.");
    before = now;
    await make(v1, workflowId, revision, part, beginning);
  }
};

const make = async (
  v1: V1,
  workflowId: string,
  expectedRevisionId: string,
  part: Part,
  { sender }: Beginning,
): Promise<unknown> => {
  if (part.make === "mail") {
    const { fallbacks = {}, ...mail } = part.mail;
    const { emailMessageId } = part;
    return v1.emailMessages.update({ emailMessageId, ...mail, ...sender, contactPropertiesFallbacks: fallbacks });
  }
  const at = { workflowId, expectedRevisionId };
  if (part.make === "fields")
    return v1.workflows.updateNode({ ...at, nodeId: part.nodeId, payload: part.payload } as never);
  const { from: fromNodeId, to: toNodeId, type: nodeTypeName } = part;
  return v1.workflows.createNode({ ...at, insertMode: "between", fromNodeId, toNodeId, nodeTypeName } as never, {
    idempotencyKey: `${expectedRevisionId} ${fromNodeId} ${nodeTypeName}`.slice(0, 100),
  });
};
