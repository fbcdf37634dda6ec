import { type Mailspan, secrets, until } from "../../system/mailspan.ts";
import { asOperator } from "./data.ts";

/**
 * Ids of a workflow and its nodes: trigger → mail → a day → branch: filter → mail, or a filter for everyone. Both
 * lead to the exit.
 */
export type Made = {
  id: string;
  root: string;
  mail: string;
  timer: string;
  branch: string;
  filters: string[];
  last: string;
  exit: string;
  event: string;
};

type Workflow = { workflowRevisionId: string; nodes: Record<string, { nextNodeIds: string[]; typeName: string }> };
type Node = { id: string; emailMessageId: string; nextNodeIds: string[] };

const urlsOf = ({ emailUrl }: Mailspan) => ({
  team: `${emailUrl}/admin/teams/demo`,
  v1: `${emailUrl}/admin/teams/demo/v1`,
});

const write = async (v1: string, emailMessageId: string, subject: string): Promise<void> => {
  await asOperator(`${v1}/email-messages/${emailMessageId}`, "POST", {
    subject,
    fromName: "Acme",
    fromEmail: "hello",
    lmx: "<Paragraph>Hello</Paragraph>",
  });
};

/** A draft of a workflow that can be started. `trigger`: of its root. */
export const addWorkflow = async (mailspan: Mailspan, name: string, trigger?: object): Promise<Made> => {
  const { v1 } = urlsOf(mailspan);
  const event = `${name.toLowerCase().replaceAll(" ", "-")}-paid`;
  const { id, rootNodeId: root } = await asOperator<{ id: string; rootNodeId: string }>(`${v1}/workflows`, "POST", {
    name,
  });
  const edit = async <T>(path: string, body: object): Promise<T> => {
    const { workflowRevisionId: expectedRevisionId } = await asOperator<Workflow>(`${v1}/workflows/${id}`);
    return asOperator<T>(`${v1}/workflows/${id}${path}`, "POST", { expectedRevisionId, ...body });
  };
  const after = async (nodeTypeName: string, fromNodeId: string): Promise<Node> =>
    (await edit<{ node: Node }>("/nodes", { insertMode: "after", nodeTypeName, fromNodeId })).node;
  await edit(`/nodes/${root}`, {
    payload: trigger ?? { typeName: "EventTrigger", eventName: event, reEligible: true },
  });
  const mail = await after("SendEmailAction", root);
  await write(v1, mail.emailMessageId, `${name}, the first mail`);
  const timer = await after("TimerAction", mail.id);
  await edit(`/nodes/${timer.id}`, { payload: { amount: 1, unit: "d" } });
  const branch = await after("BranchNode", timer.id);
  const [vip = "", everyone = ""] = branch.nextNodeIds;
  const conditions = [{ type: "property", key: "userGroup", operator: "equals", value: "vip" }];
  await edit(`/nodes/${vip}`, { payload: { audienceFilter: { match: "all", conditions } } });
  const last = await after("SendEmailAction", vip);
  await write(v1, last.emailMessageId, `${name}, the last mail`);
  const [exit = ""] = last.nextNodeIds;
  return {
    id,
    root,
    mail: mail.id,
    timer: timer.id,
    branch: branch.id,
    filters: [vip, everyone],
    last: last.id,
    exit,
    event,
  };
};

export const actOn = (mailspan: Mailspan, id: string, act: string): Promise<unknown> =>
  asOperator(`${urlsOf(mailspan).team}/workflows/${id}/${act}`, "POST");

type Status = { nodes: { nodeId: string; waiting: number; passed: number }[] };

export const waitAt = (mailspan: Mailspan, id: string, node: string, many: number): Promise<true> =>
  until(
    `${many} wait`,
    async () => {
      const { nodes } = await asOperator<Status>(`${urlsOf(mailspan).team}/workflows/${id}/status`);
      return nodes.find(({ nodeId }) => nodeId === node)?.waiting === many ? true : undefined;
    },
    90_000,
  );

export const enterWorkflow = async (mailspan: Mailspan, { event }: Made, emails: readonly string[]): Promise<void> => {
  const { v1 } = urlsOf(mailspan);
  for (const email of emails) await asOperator(`${v1}/events/send`, "POST", { email, eventName: event });
};

export const importContacts = async (mailspan: Mailspan, prefix: string, many: number): Promise<void> => {
  const { team } = urlsOf(mailspan);
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "text/csv" };
  const body = ["Email", ...Array.from({ length: many }, (_, n) => `${prefix}${n}@import.example`)].join("\n");
  const answer = await fetch(`${team}/imports?name=people.csv`, { method: "POST", headers, body });
  const { id } = (await answer.json()) as { id: string };
  await asOperator(`${team}/imports/${id}/start`, "POST", { mapping: { Email: "email" }, triggerWorkflows: true });
};
