import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { inOrder, node } from "../../../lib/workflow-graph/edges.ts";
import type { Graph, NodeOf, Trigger, WorkflowNode } from "../../../lib/workflow-graph/types.ts";
import {
  type Fault,
  type FaultAt,
  filterFaults,
  type JudgedMail,
  mailFaults,
  NO_ADDRESS,
  variableFault,
} from "../readiness/faults.ts";
import type { TeamFacts } from "../segments/facts.ts";
import { typeOf } from "../segments/meaning.ts";

/** `nodeId`: null if no single node is concerned. */
type Problem = Fault & { nodeId: string | null };

/** `problems` block the start; `warnings` do not. */
export type Readiness = { problems: Problem[]; warnings: Problem[] };

export type ReadinessTeam = TeamFacts & {
  segmentOf(id: string): AudienceFilter | undefined;
  mailOf(id: string): JudgedMail | undefined;
  isArchived(list: string): boolean;
  wasReceived(event: string): boolean;
  obstacles: readonly Fault[];
  hasPostalAddress: boolean;
};

type Workflow = { graph: Graph; list: string | null };

export const readinessOf = (workflow: Workflow, team: ReadinessTeam): Readiness => {
  const { graph } = workflow;
  const nodes = inOrder(graph).map((id) => ({ id, one: node(graph, id) }));
  const mails = new Map(
    nodes.flatMap(({ id, one }): [string, JudgedMail | undefined][] =>
      one.typeName === "SendEmailAction" ? [[id, team.mailOf(one.emailMessageId)]] : [],
    ),
  );
  return {
    problems: [
      ...(mails.size > 0 ? team.obstacles.map((obstacle) => ({ nodeId: null, ...obstacle })) : []),
      ...nodes.flatMap(({ id, one }) =>
        one.typeName === "SendEmailAction" ? mailProblems(id, mails.get(id)) : problemsOf(workflow, team, id, one),
      ),
    ],
    warnings: [
      ...(mails.size === 0 ? [NO_MAIL] : []),
      ...(mails.size > 0 && !team.hasPostalAddress ? [{ nodeId: null, ...NO_ADDRESS }] : []),
      ...triggerWarnings(graph, team),
      ...[...mails].flatMap(([id, mail]) => (mail ? variableWarnings(graph, id, mail) : [])),
    ],
  };
};

const NO_MAIL: Problem = {
  nodeId: null,
  code: "no_mail",
  message: "The workflow sends no mail. Add a SendEmailAction, if it should.",
};
const inNode =
  (nodeId: string) =>
  ({ code, message }: FaultAt): Problem => ({ nodeId, code, message });

const problemsOf = (workflow: Workflow, team: ReadinessTeam, id: string, workflowNode: WorkflowNode): Problem[] => {
  const { graph } = workflow;
  switch (workflowNode.typeName) {
    case "AudienceFilter":
      return filterProblems(team, id, workflowNode);
    case "BranchNode":
      return branchProblems(graph, id, workflowNode);
    case "ExperimentBranchNode":
      return experimentProblems(graph, id, workflowNode);
    case "SendEmailAction":
    case "TimerAction":
    case "VariantNode":
    case "ExitAction":
      return [];
    default: {
      const problem = triggerProblem(workflow, team, workflowNode);
      return problem ? [{ nodeId: id, ...problem }] : [];
    }
  }
};

const triggerProblem = ({ list }: Workflow, team: ReadinessTeam, trigger: Trigger): Fault | undefined => {
  switch (trigger.typeName) {
    case "BlankTrigger":
      return { code: "no_trigger", message: "The trigger has no type, so that no contact enters. Give it a typeName." };
    case "SignupTrigger":
      return undefined;
    case "EventTrigger":
      return trigger.eventName === null
        ? { code: "trigger_without_event", message: "The EventTrigger has no event. Give it an eventName." }
        : undefined;
    case "ContactPropertyTrigger": {
      const query = trigger.contactPropertyQuery;
      if (query === null) {
        const message = "The ContactPropertyTrigger has no property. Give it a contactPropertyQuery.";
        return { code: "trigger_without_property", message };
      }
      if (typeOf(query.key, team) !== undefined) return undefined;
      const message = `The trigger names the contact property "${query.key}", which does not exist. Create it, or name another one.`;
      return { code: "unknown_property", message };
    }
    case "AddToListTrigger":
      return listProblem(list, team);
  }
};

const listProblem = (list: string | null, team: ReadinessTeam): Fault | undefined => {
  if (list === null) {
    const message = "The AddToListTrigger needs a mailing list, and the workflow has none. Give the workflow a list.";
    return { code: "trigger_without_list", message };
  }
  if (!team.isArchived(list)) return undefined;
  const message = `The mailing list "${list}" is archived, so that no contact joins it. Give the workflow another list.`;
  return { code: "mailing_list_archived", message };
};

const filterProblems = (team: ReadinessTeam, nodeId: string, nodeOf: NodeOf<"AudienceFilter">): Problem[] => {
  const { audienceFilter, audienceSegmentId } = nodeOf;
  const segment = audienceSegmentId === null ? undefined : team.segmentOf(audienceSegmentId);
  if (audienceSegmentId !== null && !segment) {
    const message = `The filter names the segment "${audienceSegmentId}", which does not exist. Choose another segment.`;
    return [{ nodeId, code: "segment_not_found", message }, ...inFilter(team, nodeId, "The filter", audienceFilter)];
  }
  return [
    ...inFilter(team, nodeId, `The segment "${audienceSegmentId}" of the filter`, segment ?? null),
    ...inFilter(team, nodeId, "The filter", audienceFilter),
  ];
};

const inFilter = (team: TeamFacts, nodeId: string, what: string, filter: AudienceFilter | null): Problem[] =>
  filterFaults(team, what, filter, "filter").map(inNode(nodeId));

const branchProblems = (graph: Graph, id: string, { nextNodeIds }: WorkflowNode): Problem[] => {
  const children = nextNodeIds.map((child) => ({ child, one: node(graph, child) }));
  const open = children.findIndex(({ one }) => one.typeName === "AudienceFilter" && matchesAll(one));
  return children.flatMap(({ child, one }, position): Problem[] => {
    if (one.typeName !== "AudienceFilter") {
      const message = `A BranchNode leads to AudienceFilters, and this path begins with ${one.typeName}. Insert an AudienceFilter between ${id} and ${child}.`;
      return [{ nodeId: child, code: "branch_without_filter", message }];
    }
    if (open < 0 || position <= open) return [];
    const message = `No contact takes this path: a filter to the left of it (${children[open]?.child}) matches everyone. Move this path to the left, or give that filter a condition.`;
    return [{ nodeId: child, code: "path_never_taken", message }];
  });
};

const matchesAll = ({ audienceFilter, audienceSegmentId }: NodeOf<"AudienceFilter">): boolean =>
  audienceFilter === null && audienceSegmentId === null;

const experimentProblems = (graph: Graph, nodeId: string, nodeOf: NodeOf<"ExperimentBranchNode">): Problem[] => {
  const { nextNodeIds, samplingRate } = nodeOf;
  const children = nextNodeIds.map((child) => ({ child, one: node(graph, child) }));
  const others = children.filter(({ one }) => one.typeName !== "VariantNode");
  const variants = children.flatMap(({ one }) => (one.typeName === "VariantNode" ? [one] : []));
  const problems: Problem[] = others.map(({ child, one }) => ({
    nodeId: child,
    code: "experiment_without_variant_node",
    message: `An ExperimentBranchNode leads to VariantNodes, and this path begins with ${one.typeName}. Insert a VariantNode between ${nodeId} and ${child}.`,
  }));
  if (samplingRate < 100 && !variants.some(({ isControl }) => isControl)) {
    const message = `The control group gets ${100 - samplingRate} % of the contacts, and the experiment has no control. Make one variant the control (isControl), or set samplingRate to 100.`;
    problems.push({ nodeId, code: "experiment_without_control", message });
  }
  if (samplingRate > 0 && variants.every(({ isControl }) => isControl)) {
    const message = `The variants get ${samplingRate} % of the contacts, and the experiment has only a control. Add a variant, or set samplingRate to 0.`;
    problems.push({ nodeId, code: "experiment_without_variant", message });
  }
  return problems;
};

const mailProblems = (nodeId: string, mail: JudgedMail | undefined): Problem[] => {
  if (!mail) {
    const message = "The email message of this node does not exist. Delete the node, and insert a new one.";
    return [{ nodeId, code: "email_message_not_found", message }];
  }
  return mailFaults(mail).map(inNode(nodeId));
};

const triggerWarnings = (graph: Graph, team: ReadinessTeam): Problem[] => {
  const trigger = node(graph, graph.root);
  if (trigger.typeName !== "EventTrigger" || trigger.eventName === null || team.wasReceived(trigger.eventName))
    return [];
  const message = `No event "${trigger.eventName}" was received yet. Names are case-sensitive: check that your code sends exactly this one.`;
  return [{ nodeId: graph.root, code: "event_never_received", message }];
};

const variableWarnings = (graph: Graph, nodeId: string, mail: JudgedMail): Problem[] => {
  const hasEvent = node(graph, graph.root).typeName === "EventTrigger";
  return mail.unfilled.map((name) => inNode(nodeId)(variableFault(mail, name, hasEvent, "workflow")));
};
