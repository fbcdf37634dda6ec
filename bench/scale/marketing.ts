import type { Scale } from "./start.ts";

const TEAM = "/email/teams/demo";
const CHUNK = 10_000;
const DAY = 86_400_000;
const LMX = "<Style />\n<Paragraph>Hello {contact.firstName}, your plan is {contact.plan}.</Paragraph>";

/** Ids that pages need for campaigns and workflows. */
export type Marketing = {
  campaignId: string;
  workflowId: string;
  nodeId: string;
  mailNodeId: string;
  version: string;
  revision: string;
};

/** Adds a draft campaign and a workflow with waiting contacts. */
export const addMarketing = async (scale: Scale, waiting: number): Promise<void> => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of operations whose shapes the tests check.
  const ask = async (path: string, body?: object): Promise<any> => {
    const { status, json } = await scale.ask(TEAM + path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  const mail = { subject: "For you", fromName: "Acme", fromEmail: "hello", lmx: LMX };
  const draft = await ask("/v1/campaigns", { name: "Spring sale" });
  await ask(`/v1/email-messages/${draft.emailMessageId}`, mail);
  const { id, rootNodeId } = await ask("/v1/workflows", { name: "Welcome" });
  const edit = async (path: string, body: object) => {
    const { workflowRevisionId: expectedRevisionId } = await ask(`/v1/workflows/${id}`);
    return ask(`/v1/workflows/${id}${path}`, { expectedRevisionId, ...body });
  };
  await edit(`/nodes/${rootNodeId}`, { payload: { typeName: "EventTrigger", eventName: "welcome", reEligible: true } });
  const after = async (nodeTypeName: string, fromNodeId: string) =>
    (await edit("/nodes", { insertMode: "after", nodeTypeName, fromNodeId })).node;
  const timer = await after("TimerAction", rootNodeId);
  const message = await after("SendEmailAction", timer.id);
  await ask(`/v1/email-messages/${message.emailMessageId}`, mail);
  const query = "SELECT n, graph->'$.nodes'->?->>'k' AS k FROM workflows WHERE id = ?";
  const [row] = await scale.fillEmail({ query, rows: [[timer.id, id]] });
  const began = Date.now();
  for (let from = 0; from < waiting; from += CHUNK)
    await scale.fillEmail({
      query: `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
        SELECT n, ?1, 1, ?2, ?3, ?3 + ${DAY} + n, ?3, '[[1,0]]', NULL FROM contacts WHERE n > ?4 AND n <= ?5`,
      rows: [[Number(row?.n), Number(row?.k), began, from, Math.min(waiting, from + CHUNK)]],
    });
};

export const marketingIn = async ({ ask }: Scale): Promise<Marketing> => {
  const listed = async (path: string) => (await ask(`${TEAM}/v1${path}`)).json as { data: { id: string }[] };
  const campaigns = await listed("/campaigns");
  const workflowId = (await listed("/workflows")).data[0]?.id ?? "";
  const { nodes = {}, workflowRevisionId: current = "" } = (await ask(`${TEAM}/v1/workflows/${workflowId}`)).json as {
    nodes?: Record<string, { typeName: string }>;
    workflowRevisionId?: string;
  };
  const firstOf = (type: string) => Object.entries(nodes).find(([, { typeName }]) => typeName === type)?.[0] ?? "";
  const [nodeId, mailNodeId] = [firstOf("TimerAction"), firstOf("SendEmailAction")];
  const { data: versions } = (await ask(`${TEAM}/workflows/${workflowId}/versions`)).json as {
    data: { revision: string }[];
  };
  const version = versions.find(({ revision }) => revision !== current)?.revision ?? "";
  return { campaignId: campaigns.data[0]?.id ?? "", workflowId, nodeId, mailNodeId, version, revision: current };
};
