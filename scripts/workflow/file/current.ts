import { ApiError } from "../../../src/lib/client.ts";
import type { Client } from "../../../src/lib/contract/client.ts";
import type { V1 } from "../../../src/lib/contract/v1.ts";
import type { Workflow } from "../../../src/lib/contract/workflows/nodes.ts";
import type { Component, Library } from "../../../src/lib/lmx/compile.ts";
import type { ThemeStyles } from "../../../src/lib/lmx/language/theme.ts";
import { emptySource, type MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import type { Graph, WorkflowNode } from "../../../src/lib/workflow-graph/types.ts";
import { everyPage } from "../../lib/named.ts";
import type { Names } from "./filter.ts";
import type { Spec } from "./spec.ts";

export type Api = Pick<
  Client<V1>,
  "workflows" | "emailMessages" | "lists" | "audienceSegments" | "contactProperties" | "themes" | "components"
>;

/** A workflow in the API. `revisions`: content revisions by mail id. */
export type Current = {
  id: string;
  revision: string;
  status: Workflow["status"];
  spec: Spec;
  revisions: ReadonlyMap<string, string>;
};

const shapeOf = ({ nodes, rootNodeId }: Workflow): Graph => {
  const all = Object.entries(nodes).map(([id, short], i) => {
    const { mailingListId: _, subject: __, ...own } = short as Record<string, unknown>;
    return [id, { ...own, k: i + 1 } as unknown as WorkflowNode] as const;
  });
  const exit = all.find(([, { typeName }]) => typeName === "ExitAction")?.[0] ?? "";
  return { root: rootNodeId, exit, lastK: all.length, nodes: Object.fromEntries(all) };
};

export const readShape = async ({ workflows }: Api, workflowId: string): Promise<Graph> =>
  shapeOf(await workflows.get({ workflowId }));

/** Reads a workflow with filters and mails, which need extra requests. */
export const readCurrent = async ({ workflows, emailMessages }: Api, workflowId: string): Promise<Current> => {
  const workflow = await workflows.get({ workflowId });
  const shape = shapeOf(workflow);
  const nodes: Record<string, WorkflowNode> = { ...shape.nodes };
  const messages: Record<string, MessageSource> = {};
  const revisions = new Map<string, string>();
  for (const [id, one] of Object.entries(nodes)) {
    if (one.typeName === "AudienceFilter") {
      const full = await workflows.getNode({ workflowId, nodeId: id });
      if (full.typeName !== "AudienceFilter") continue;
      const { audienceFilter, audienceSegmentId = null, appliesDownstream } = full;
      nodes[id] = { ...one, audienceFilter, audienceSegmentId, appliesDownstream };
    }
    if (one.typeName === "SendEmailAction") {
      const { emailMessageId } = one;
      const mail = await emailMessages.get({ emailMessageId });
      messages[emailMessageId] = Object.fromEntries(
        Object.keys(emptySource).map((field) => [field, mail[field as keyof MessageSource]]),
      ) as MessageSource;
      if (mail.contentRevisionId !== null) revisions.set(emailMessageId, mail.contentRevisionId);
    }
  }
  const { id, workflowRevisionId: revision, status, name, description, mailingListId: list } = workflow;
  const graph = { ...shape, nodes };
  return { id, revision, status, revisions, spec: { name, description, list, graph, messages } };
};

type Paged<Item> = (page: {
  perPage: string;
  cursor?: string;
}) => Promise<{ pagination: { nextCursor: string | null }; data: Item[] }>;

const allOf = <Item>(list: Paged<Item>): Promise<Item[]> =>
  everyPage((cursor) => list({ perPage: "50", ...(cursor === undefined ? {} : { cursor }) }));

export const workflowNames = ({ workflows }: Api): Promise<{ id: string; name: string }[]> =>
  allOf((page) => workflows.list(page));

/** Reads lists, segments and property types. Duplicate list names are excluded. */
export const readNames = async ({ lists, audienceSegments, contactProperties }: Api): Promise<Required<Names>> => ({
  lists: idsOf(await lists.list()),
  segments: idsOf(await allOf((page) => audienceSegments.list(page))),
  types: new Map((await contactProperties.list({})).map(({ key, type }) => [key, type])),
});

const LIBRARY_IDS = /\b(?:thm|cmp)_\w{1,40}/g;

/** Reads referenced themes and components, also nested ones. Missing items are excluded. */
export const readLibrary = async ({ themes, components }: Api, mails: readonly MessageSource[]): Promise<Library> => {
  const library = { themes: {} as Record<string, ThemeStyles>, components: {} as Record<string, Component> };
  const ids = new Set(mails.flatMap(({ lmx }) => lmx.match(LIBRARY_IDS) ?? []));
  // A Set includes entries added during iteration.
  for (const id of ids) {
    if (id.startsWith("thm_")) {
      const theme = await existing(themes.get({ themeId: id }));
      if (theme) library.themes[id] = theme.styles;
      continue;
    }
    const component = await existing(components.get({ componentId: id }));
    if (!component) continue;
    library.components[id] = { name: component.name, lmx: component.lmx };
    for (const below of component.lmx.match(LIBRARY_IDS) ?? []) ids.add(below);
  }
  return library;
};

/** Undefined for 404. */
const existing = <Answer>(request: Promise<Answer>): Promise<Answer | undefined> =>
  request.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

const idsOf = (all: readonly { id: string; name: string }[]): ReadonlyMap<string, string> => {
  const names = Map.groupBy(all, ({ name }) => name);
  const unique = [...names].flatMap(([name, [one, ...more]]) =>
    one && more.length === 0 ? [[name, one.id] as const] : [],
  );
  return new Map([...unique, ...all.map(({ id }) => [id, id] as const)]);
};
