import type { Workflow } from "../../../src/lib/contract/workflows/nodes.ts";
import type { Api, Current } from "./current.ts";
import type { Op } from "./ops.ts";

type Sending = {
  api: Api;
  workflowId: string;
  revision: string | null;
  ids: Map<string, string>;
  mails: Map<string, string>;
  revisions: ReadonlyMap<string, string>;
  discard: boolean;
};

/**
 * Sends the requests of a plan, each based on the revision that the previous one returned.
 * A concurrent change stops this with 409 `stale_revision`.
 *
 * @param discard contacts at deleted nodes leave the workflow; otherwise the request throws and changes nothing
 */
export const sendOps = async (
  api: Api,
  ops: readonly Op[],
  current: Pick<Current, "id" | "revision" | "revisions" | "spec">,
  { discard, onSent }: { discard: boolean; onSent(op: Op): void },
): Promise<void> => {
  const mails = Object.entries(current.spec.graph.nodes).flatMap(([id, one]) =>
    one.typeName === "SendEmailAction" ? [[id, one.emailMessageId] as const] : [],
  );
  const sending: Sending = {
    api,
    workflowId: current.id,
    revision: current.revision,
    ids: new Map(),
    mails: new Map(mails),
    revisions: current.revisions,
    discard,
  };
  for (const op of ops) {
    await send(sending, op);
    onSent(op);
  }
};

const send = async (sending: Sending, op: Op): Promise<void> => {
  const { api, workflowId, revision: expectedRevisionId, ids } = sending;
  const { workflows, emailMessages } = api;
  const idOf = (id: string) => ids.get(id) ?? id;
  const asked = { workflowId, expectedRevisionId };
  const done = ({ workflowRevisionId }: Pick<Workflow, "workflowRevisionId">) => {
    sending.revision = workflowRevisionId;
  };
  switch (op.do) {
    case "properties": {
      const { do: _, ...properties } = op;
      return done(await workflows.update({ ...asked, ...properties }));
    }
    case "list": {
      const answer = await workflows.changeMailingList({
        ...asked,
        mailingListId: op.mailingListId,
        ...policy(sending),
      });
      if (answer.status !== "updated") throw waitingError(answer.queuedContactCount);
      return done(answer);
    }
    case "insert": {
      const placement = Object.fromEntries(
        Object.entries(op.placement).map(([field, id]) => [field, field === "insertMode" ? id : idOf(id)]),
      ) as typeof op.placement;
      const { node, workflow } = await workflows.createNode({ ...asked, nodeTypeName: op.nodeTypeName, ...placement });
      learn(sending, op.made, [node.id, ...(node.createdChildNodes ?? []).map(({ id }) => id)]);
      if (node.typeName === "SendEmailAction") sending.mails.set(node.id, node.emailMessageId);
      return done(workflow);
    }
    case "addBranch": {
      const { node, workflow } = await workflows.addBranch({ ...asked, nodeId: idOf(op.node) });
      learn(sending, op.made, [node.id]);
      return done(workflow);
    }
    case "update":
      return done((await workflows.updateNode({ ...asked, nodeId: idOf(op.node), payload: op.payload })).workflow);
    case "reroute": {
      const newTargetNodeId = idOf(op.target);
      return done((await workflows.reroute({ ...asked, nodeId: idOf(op.node), newTargetNodeId })).workflow);
    }
    case "delete": {
      const remove = op.below ? workflows.deleteNodeRecursively : workflows.deleteNode;
      const answer = await remove({ ...asked, nodeId: idOf(op.node), ...policy(sending) });
      if (answer.status !== "deleted") throw waitingError(answer.queuedContactCount);
      return done(answer);
    }
    case "message": {
      const emailMessageId = sending.mails.get(idOf(op.node)) ?? "";
      const revision = sending.revisions.get(emailMessageId);
      const expected = revision === undefined ? {} : { expectedRevisionId: revision };
      await emailMessages.update({ emailMessageId, ...expected, ...op.changes });
    }
  }
};

const policy = ({ discard }: Sending) => ({ queuedContactPolicy: discard ? ("discard" as const) : ("fail" as const) });

const learn = ({ ids }: Sending, planned: readonly string[], real: readonly string[]): void => {
  for (const [i, id] of planned.entries()) ids.set(id, real[i] ?? "");
};

export const waitingError = (count: number): Error =>
  new Error(
    `${count} ${count === 1 ? "contact waits" : "contacts wait"} at what the change deletes, and would leave the workflow. ` +
      "Add --discard to let them go.",
  );

/** Counts contacts that wait at deleted nodes or are not on the new mailing list. */
export const countWaiting = async (api: Api, ops: readonly Op[], { id, revision, spec }: Current): Promise<number> => {
  const asked = { workflowId: id, expectedRevisionId: revision, dryRun: true };
  const timers = ops
    .flatMap((op) => (op.do === "delete" ? op.nodeIds : []))
    .filter((node) => spec.graph.nodes[node]?.typeName === "TimerAction");
  let count = 0;
  for (const nodeId of timers) count += (await api.workflows.deleteNode({ ...asked, nodeId })).queuedContactCount;
  const list = ops.find((op) => op.do === "list");
  if (list?.mailingListId)
    count += (await api.workflows.changeMailingList({ ...asked, mailingListId: list.mailingListId }))
      .queuedContactCount;
  return count;
};
