import type { Api } from "../../../../scripts/workflow/file/current.ts";
import { ApiError } from "../../../../src/lib/client.ts";
import { changed, emptySource, type MessageSource } from "../../../../src/lib/lmx/message/message-source.ts";
import { emptyGraph } from "../../../../src/lib/workflow-graph/create.ts";
import { node } from "../../../../src/lib/workflow-graph/edges.ts";
import { addBranch, insertNode, type Placement } from "../../../../src/lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../src/lib/workflow-graph/remove.ts";
import { reroute } from "../../../../src/lib/workflow-graph/reroute.ts";
import type { Edit, Graph, WorkflowNode, WorkflowStatus } from "../../../../src/lib/workflow-graph/types.ts";
import { updateNode } from "../../../../src/lib/workflow-graph/update.ts";

/** A workflow of the fake. `waiting`: contacts at a node, by its id. */
export type Kept = {
  id: string;
  name: string;
  description: string;
  list: string | null;
  status: WorkflowStatus;
  revision: number;
  graph: Graph;
  messages: Record<string, { source: MessageSource; revision: number }>;
  waiting: Record<string, number>;
};

type Named = { id: string; name: string };
type Asked = { workflowId: string; expectedRevisionId?: string | null };
type Removal = Asked & { nodeId: string; dryRun?: boolean; queuedContactPolicy?: string };

let last = 0;
const id = (prefix: string) => `${prefix}_${++last}`;

/** The fake throws at a request, before or after it acted. */
export type Crash = { at: number; when: "before" | "after" };

/**
 * The v1 API in memory. It edits graphs with the email service's functions, so it refuses the same edits.
 *
 * @param crash the request (from 0) at which the caller is killed
 */
export const standIn = (all: Map<string, Kept> = new Map(), { crash }: { crash?: Crash } = {}) => {
  const asked: string[] = [];

  const find = ({ workflowId, expectedRevisionId }: Asked): Kept => {
    const found = all.get(workflowId);
    if (!found) throw new ApiError(404, "There is no such workflow.");
    if (expectedRevisionId !== undefined && expectedRevisionId !== `rev_${found.revision}`)
      throw new ApiError(409, "The workflow is at another revision.", { code: "stale_revision" });
    return found;
  };
  const changeable = (request: Asked): Kept => {
    const found = find(request);
    if (found.status === "Sending") throw new ApiError(400, "It is sending.", { code: "workflow_sending" });
    return found;
  };
  const shown = (one: Kept) => ({
    id: one.id,
    url: "",
    workflowRevisionId: `rev_${one.revision}`,
    status: one.status,
    name: one.name,
    description: one.description,
    workflowGroupId: "grp_1",
    mailingListId: one.list,
    rootNodeId: one.graph.root,
    nodes: Object.fromEntries(Object.entries(one.graph.nodes).map(([nodeId, own]) => [nodeId, shortOf(one, own)])),
  });
  const shortOf = (one: Kept, own: WorkflowNode) => {
    const { k: _, ...rest } = own;
    if (own.typeName === "AudienceFilter") return { typeName: own.typeName, nextNodeIds: own.nextNodeIds };
    if (own.typeName === "AddToListTrigger") return { ...rest, mailingListId: one.list };
    if (own.typeName !== "SendEmailAction") return rest;
    return { ...rest, subject: one.messages[own.emailMessageId]?.source.subject ?? "" };
  };
  const fullOf = (one: Kept, nodeId: string) => {
    const { k: _, ...rest } = node(one.graph, nodeId);
    const segment =
      rest.typeName === "AudienceFilter" && rest.audienceSegmentId === null ? { audienceSegmentId: undefined } : {};
    return { id: nodeId, workflowId: one.id, workflowRevisionId: `rev_${one.revision}`, ...rest, ...segment };
  };
  const save = <More>(one: Kept, edit: Edit<More>): { graph: Graph } & More => {
    if ("refusal" in edit) throw new ApiError(400, edit.refusal.message, { code: edit.refusal.code });
    one.graph = edit.graph;
    one.revision++;
    for (const own of Object.values(edit.graph.nodes))
      if (own.typeName === "SendEmailAction") one.messages[own.emailMessageId] ??= { source: emptySource, revision: 1 };
    return edit;
  };
  const answer = (one: Kept, nodeId: string) => ({ node: fullOf(one, nodeId), workflow: shown(one) });
  const removed = (edit: typeof removeNode) => (request: Removal) => {
    const one = changeable(request);
    const removal = edit(one.graph, request.nodeId);
    if ("refusal" in removal) throw new ApiError(400, removal.refusal.message);
    const { nodeIds } = removal;
    const queuedContactCount = nodeIds.reduce((sum, nodeId) => sum + (one.waiting[nodeId] ?? 0), 0);
    if (request.dryRun) return { status: "dryRun", nodeIds, queuedContactCount };
    if (queuedContactCount > 0 && request.queuedContactPolicy !== "discard")
      return { status: "queuedContactsFound", nodeIds, queuedContactCount };
    save(one, removal);
    for (const nodeId of nodeIds) delete one.waiting[nodeId];
    const workflow = shown(one);
    return {
      status: "deleted",
      nodeIds,
      queuedContactCount,
      workflowRevisionId: workflow.workflowRevisionId,
      workflow,
    };
  };
  const page = (data: Named[]) => ({ pagination: { nextCursor: null }, data });
  const mailOf = (emailMessageId: string) => {
    const found = [...all.values()].find((one) => Object.hasOwn(one.messages, emailMessageId));
    const mail = found?.messages[emailMessageId];
    if (!found || !mail) throw new ApiError(404, "There is no such mail.");
    return { found, mail };
  };
  const shownMail = (emailMessageId: string) => {
    const { source, revision } = mailOf(emailMessageId).mail;
    return { id: emailMessageId, ...source, contentRevisionId: `rev_${revision}`, updatedAt: "" };
  };

  const methods = {
    workflows: {
      list: () => page([...all.values()].map((one) => ({ id: one.id, name: one.name }))),
      get: (request: Asked) => shown(find(request)),
      getNode: (request: Asked & { nodeId: string }) => fullOf(find(request), request.nodeId),
      create({
        name,
        description = "",
        mailingListId = null,
      }: {
        name: string;
        description?: string;
        mailingListId?: string | null;
      }) {
        const one: Kept = {
          id: id("wfl"),
          name,
          description,
          list: mailingListId,
          status: "Draft",
          revision: 1,
          graph: emptyGraph(id),
          messages: {},
          waiting: {},
        };
        all.set(one.id, one);
        return shown(one);
      },
      update(request: Asked & { name?: string; description?: string }) {
        const one = find(request);
        one.name = request.name ?? one.name;
        one.description = request.description ?? one.description;
        one.revision++;
        return shown(one);
      },
      changeMailingList(request: Asked & { mailingListId: string | null; dryRun?: boolean }) {
        const one = changeable(request);
        const common = { mailingListId: request.mailingListId, queuedContactCount: 0 };
        if (request.dryRun) return { status: "dryRun", ...common };
        one.list = request.mailingListId;
        one.revision++;
        const workflow = shown(one);
        return { status: "updated", ...common, workflowRevisionId: workflow.workflowRevisionId, workflow };
      },
      createNode(request: Asked & Placement & { nodeTypeName: "TimerAction" }) {
        const one = changeable(request);
        const made = save(one, insertNode(one.graph, request.nodeTypeName, request, id));
        const { node: own, workflow } = answer(one, made.node);
        return { node: { ...own, createdChildNodes: made.children.map((child) => fullOf(one, child)) }, workflow };
      },
      addBranch(request: Asked & { nodeId: string }) {
        const one = changeable(request);
        return answer(one, save(one, addBranch(one.graph, request.nodeId, id)).node);
      },
      updateNode(request: Asked & { nodeId: string; payload: object }) {
        const one = changeable(request);
        save(one, updateNode(one.graph, request.nodeId, request.payload));
        return { ...answer(one, request.nodeId).node, workflow: shown(one) };
      },
      reroute(request: Asked & { nodeId: string; newTargetNodeId: string }) {
        const one = changeable(request);
        save(one, reroute(one.graph, request.nodeId, request.newTargetNodeId));
        return { ...answer(one, request.nodeId).node, workflow: shown(one) };
      },
      deleteNode: removed(removeNode),
      deleteNodeRecursively: removed(removeBelow),
    },
    emailMessages: {
      get: ({ emailMessageId }: { emailMessageId: string }) => shownMail(emailMessageId),
      update({
        emailMessageId,
        expectedRevisionId,
        ...changes
      }: {
        emailMessageId: string;
        expectedRevisionId?: string;
      }) {
        const { found, mail } = mailOf(emailMessageId);
        if (found.status === "Sending") throw new ApiError(409, "It is locked.", { code: "email_message_locked" });
        if (expectedRevisionId !== undefined && expectedRevisionId !== `rev_${mail.revision}`)
          throw new ApiError(409, "The mail is at another revision.");
        mail.source = changed(mail.source, changes);
        mail.revision++;
        return shownMail(emailMessageId);
      },
    },
    lists: { list: () => [{ id: "lst_1", name: "News", description: null, isPublic: true, colorScheme: "gray" }] },
    contactProperties: {
      list: () => [
        { key: "plan", type: "string" },
        { key: "seats", type: "number" },
        { key: "invited", type: "boolean" },
      ],
    },
    themes: {
      get({ themeId }: { themeId: string }) {
        throw new ApiError(404, `There is no theme ${themeId}.`);
      },
    },
    components: {
      get({ componentId }: { componentId: string }) {
        if (componentId !== "cmp_1") throw new ApiError(404, `There is no component ${componentId}.`);
        return { id: "cmp_1", name: "Footer", lmx: "<Paragraph>Acme</Paragraph>" };
      },
    },
    audienceSegments: { list: () => page([{ id: "seg_1", name: "Active" }]) },
  };

  const counted = (name: string, method: (request: never) => unknown) => async (request: never) => {
    const at = asked.length;
    asked.push(name);
    if (crash?.at === at && crash.when === "before") throw new Error("killed");
    const given = structuredClone(method(structuredClone(request)));
    if (crash?.at === at) throw new Error("killed");
    return given;
  };
  const api = Object.fromEntries(
    Object.entries(methods).map(([group, own]) => [
      group,
      Object.fromEntries(Object.entries(own).map(([name, method]) => [name, counted(name, method as never)])),
    ]),
  ) as unknown as Api;
  return { api, all, asked };
};
