type Body = Record<string, unknown>;
type Team = { delivery(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> };
type Sent = { path?: string; body?: unknown };
type Case = (team: Team) => Promise<Sent>;

const tooLong = "x".repeat(101);

const newWorkflow = async ({ delivery }: Team) => {
  const { body } = await delivery("POST", "/workflows", { name: "Trial nurture" });
  const { id, workflowRevisionId, rootNodeId, nodes } = body as { [field: string]: string } & { nodes: Body };
  const exit = Object.keys(nodes).find((node) => node !== rootNodeId) ?? "";
  return { path: `/workflows/${id}`, expectedRevisionId: workflowRevisionId ?? "", root: rootNodeId ?? "", exit };
};

const withNode = async (team: Team, nodeTypeName: string) => {
  const { path, root, expectedRevisionId } = await newWorkflow(team);
  const placed = { expectedRevisionId, insertMode: "after", nodeTypeName, fromNodeId: root };
  const { body } = await team.delivery("POST", `${path}/nodes`, placed);
  const { node } = body as { node: { id: string; workflowRevisionId: string } };
  return { path, node: `${path}/nodes/${node.id}`, expectedRevisionId: node.workflowRevisionId, root };
};

const refusals = (rest: (root: string) => string, fields: (root: string) => Body): Record<string, Case> => ({
  404: async (team) => {
    const { root, expectedRevisionId } = await newWorkflow(team);
    return { path: `/workflows/wfl_none${rest(root)}`, body: { expectedRevisionId, ...fields(root) } };
  },
  409: async (team) => {
    const { path, root } = await newWorkflow(team);
    return { path: path + rest(root), body: { expectedRevisionId: "rev_old", ...fields(root) } };
  },
});
const onNode =
  (end = "") =>
  (root: string) =>
    `/nodes/${root}${end}`;
const nothing = () => ({});

const atRoot =
  (end: string, fields: (root: string) => Body): Case =>
  async (team) => {
    const { path, root, expectedRevisionId } = await newWorkflow(team);
    return { path: `${path}/nodes/${root}${end}`, body: { expectedRevisionId, ...fields(root) } };
  };

const ofWorkflow =
  (end: string, fields: (root: string) => Body): Case =>
  async (team) => {
    const { path, root, expectedRevisionId } = await newWorkflow(team);
    return { path: path + end, body: { expectedRevisionId, ...fields(root) } };
  };

const atNew =
  (nodeTypeName: string, end = "", fields: Body = {}): Case =>
  async (team) => {
    const { node, expectedRevisionId } = await withNode(team, nodeTypeName);
    return { path: node + end, body: { expectedRevisionId, ...fields } };
  };

const reading = (end: string, nodeTypeName = "SendEmailAction"): Record<string, Case> => ({
  200: async (team) => ({ path: (await withNode(team, nodeTypeName)).node + end }),
  404: async (team) => ({ path: `${(await newWorkflow(team)).path}/nodes/nod_none${end}` }),
});

const timer = (root: string) => ({ insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: root });
const event = { typeName: "EventTrigger", eventName: "trialStarted" };

/** A request for each operation of workflows and each of its statuses. */
export const workflowCases: Record<string, Record<string, Case>> = {
  listWorkflows: {
    200: async (team) => {
      await newWorkflow(team);
      return {};
    },
    400: async () => ({ path: "/workflows?perPage=9" }),
  },
  createWorkflow: {
    200: async () => ({ body: { name: "Trial nurture", description: "Mails of the trial", mailingListId: null } }),
    400: async () => ({ body: { description: "Without a name" } }),
  },
  getWorkflow: {
    200: async (team) => ({ path: (await newWorkflow(team)).path }),
    400: async () => ({ path: `/workflows/${tooLong}` }),
    404: async () => ({ path: "/workflows/wfl_none" }),
  },
  updateWorkflowProperties: {
    200: ofWorkflow("", () => ({ name: "New name" })),
    400: ofWorkflow("", nothing),
    ...refusals(
      () => "",
      () => ({ name: "New name" }),
    ),
  },
  deleteWorkflow: {
    204: ofWorkflow("", nothing),
    400: ofWorkflow("", () => ({ confirmDelete: "perhaps" })),
    ...refusals(() => "", nothing),
  },
  changeWorkflowMailingList: {
    200: ofWorkflow("/mailing-list", () => ({ mailingListId: null })),
    400: ofWorkflow("/mailing-list", () => ({ mailingListId: "lst_none" })),
    ...refusals(
      () => "/mailing-list",
      () => ({ mailingListId: null }),
    ),
  },
  createWorkflowNode: {
    200: ofWorkflow("/nodes", (root) => ({ ...timer(root), nodeTypeName: "BranchNode" })),
    400: ofWorkflow("/nodes", (root) => ({ ...timer(root), insertMode: "before" })),
    ...refusals(() => "/nodes", timer),
  },
  addWorkflowBranch: {
    200: atNew("ExperimentBranchNode", "/add-branch"),
    400: atRoot("/add-branch", nothing),
    ...refusals(onNode("/add-branch"), nothing),
  },
  getWorkflowNode: {
    ...reading("", "AudienceFilter"),
    400: async (team) => ({ path: `${(await newWorkflow(team)).path}/nodes/${tooLong}` }),
  },
  getWorkflowNodeMetrics: { ...reading("/metrics"), 400: async (team) => atTimer(team, "/metrics") },
  updateWorkflowNode: {
    200: atRoot("", () => ({ payload: event })),
    400: atRoot("", () => ({ payload: { amount: 1 } })),
    501: atNew("SendEmailAction", "", { payload: { amount: 1 } }),
    ...refusals(onNode(), () => ({ payload: event })),
  },
  rerouteNodeConnection: {
    200: async (team) => {
      const { path, root, exit, expectedRevisionId } = await newWorkflow(team);
      return { path: `${path}/nodes/${root}/reroute`, body: { expectedRevisionId, newTargetNodeId: exit } };
    },
    400: atRoot("/reroute", (root) => ({ newTargetNodeId: root })),
    ...refusals(onNode("/reroute"), (root) => ({ newTargetNodeId: root })),
  },
  deleteWorkflowNode: {
    200: atNew("TimerAction"),
    400: atRoot("", nothing),
    ...refusals(onNode(), nothing),
  },
  deleteWorkflowNodeRecursively: {
    200: atNew("BranchNode", "/recursive"),
    400: atRoot("/recursive", nothing),
    ...refusals(onNode("/recursive"), nothing),
  },
};

const atTimer = async (team: Team, end: string): Promise<Sent> => ({
  path: (await withNode(team, "TimerAction")).node + end,
});
