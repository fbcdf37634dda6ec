import type { LoopsClient } from "loops";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Mailspan, startMailspan } from "../system/mailspan.ts";
import { failure, isWorkflowMethod, methodsOf, operator, pacedClient } from "./official.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan();
});
afterAll(() => mailspan.stop());

const used = new Set<string>();

let client: LoopsClient;
let list: string;
let serial = 0;
beforeEach(async () => {
  const team = `workflows-${serial++}`;
  await operator(mailspan, "", { id: team, name: "Workflows", createProperties: true });
  const { key } = await operator(mailspan, `/${team}/keys`, { name: "test" });
  list = (await operator(mailspan, `/${team}/lists`, { name: "News" })).id;
  client = pacedClient(mailspan, key, used);
});

it("builds a workflow with a timer, a branch of three paths and an email on each", async () => {
  const contact = { email: "ada@example.com", properties: { plan: "pro", seats: 9, invited: true } };
  await client.createContact(contact);
  await client.sendEvent({ email: "ada@example.com", eventName: "trialStarted", eventProperties: { plan: "pro" } });
  let workflow = await client.createWorkflow({ name: "Trial nurture" });
  const { id, rootNodeId } = workflow;
  const exit = Object.keys(workflow.nodes).find((node) => node !== rootNodeId) as string;
  const expected = () => ({ expectedRevisionId: workflow.workflowRevisionId });
  const create = async (params: object) => {
    const created = await client.createWorkflowNode(id, { ...expected(), ...params } as never);
    workflow = created.workflow;
    return created.node;
  };
  const update = async (node: string, payload: object) => {
    const updated = await client.updateWorkflowNode(id, node, { ...expected(), payload });
    workflow = updated.workflow;
    return updated;
  };
  const trigger = await update(rootNodeId, { typeName: "EventTrigger", eventName: "trialStarted", reEligible: false });
  expect(trigger).toMatchObject({ eventProperties: [{ name: "plan", type: "string" }] });
  const timer = await create({ insertMode: "before", nodeTypeName: "TimerAction", toNodeId: exit });
  await update(timer.id, { amount: 3, unit: "d" });
  const branch = await create({ insertMode: "after", nodeTypeName: "BranchNode", fromNodeId: timer.id });
  const added = await client.addWorkflowBranch(id, branch.id, expected());
  workflow = added.workflow;
  const [pro = "", team = ""] = branch.nextNodeIds;
  const seats = { type: "property", key: "seats", operator: "greaterThan", value: 5 };
  const plan = { type: "property", key: "plan", operator: "equals", value: "pro" };
  const invited = { type: "property", key: "invited", operator: "isTrue" };
  await update(pro, { audienceFilter: { match: "all", conditions: [plan] }, appliesDownstream: false });
  await update(team, { audienceFilter: { match: "any", conditions: [seats, invited] }, appliesDownstream: true });
  const emails: string[] = [];
  for (const [n, filter] of [pro, team, added.node.id].entries()) {
    const place = { insertMode: "between", nodeTypeName: "SendEmailAction", fromNodeId: filter, toNodeId: exit };
    const email = (await create(place)) as unknown as { id: string; emailMessageId: string };
    const { contentRevisionId } = await client.getEmailMessage(email.emailMessageId);
    await client.updateEmailMessage(email.emailMessageId, {
      expectedRevisionId: contentRevisionId as string,
      subject: `Mail ${n}`,
      fromName: "Acme",
      fromEmail: "hello",
      lmx: "<Paragraph>Hello {contact.plan}</Paragraph>",
    });
    emails.push(email.id);
  }
  const read = await client.getWorkflow(id);
  expect(Object.entries(read.nodes).map(([node, { typeName, nextNodeIds }]) => [node, typeName, nextNodeIds])).toEqual([
    [rootNodeId, "EventTrigger", [timer.id]],
    [timer.id, "TimerAction", [branch.id]],
    [branch.id, "BranchNode", [pro, team, added.node.id]],
    [pro, "AudienceFilter", [emails[0]]],
    [team, "AudienceFilter", [emails[1]]],
    [added.node.id, "AudienceFilter", [emails[2]]],
    ...emails.map((email) => [email, "SendEmailAction", [exit]]),
    [exit, "ExitAction", []],
  ]);
  expect(read.nodes[emails[2] ?? ""]).toMatchObject({ subject: "Mail 2" });
  expect(await client.getWorkflowNode(id, pro)).toMatchObject({
    workflowId: id,
    audienceFilter: { conditions: [plan] },
  });
});

it("changes, lists and deletes what it built, and gets refusals as its errors", async () => {
  const { id, rootNodeId, workflowRevisionId } = await client.createWorkflow({ name: "W", mailingListId: list });
  const named = await client.updateWorkflow(id, {
    expectedRevisionId: workflowRevisionId,
    name: "Named",
    description: "x",
  });
  const stale = await failure(client.updateWorkflow(id, { expectedRevisionId: workflowRevisionId, name: "Late" }));
  expect([stale.statusCode, (stale.json as { code?: string }).code]).toEqual([409, "stale_revision"]);
  expect((await client.listWorkflows({ perPage: 10 })).data).toMatchObject([{ id, name: "Named" }]);
  const moved = await client.changeWorkflowMailingList(id, {
    expectedRevisionId: named.workflowRevisionId,
    mailingListId: null,
    queuedContactPolicy: "discard",
  });
  expect(moved).toMatchObject({ status: "updated", mailingListId: null, queuedContactCount: 0 });
  let expectedRevisionId = (moved as { workflowRevisionId: string }).workflowRevisionId;
  const place = { insertMode: "after", nodeTypeName: "BranchNode", fromNodeId: rootNodeId } as const;
  const { node, workflow } = await client.createWorkflowNode(id, { expectedRevisionId, ...place });
  expectedRevisionId = workflow.workflowRevisionId as string;
  const [first = "", second = ""] = node.nextNodeIds;
  const exit = workflow.nodes[first]?.nextNodeIds[0] ?? "";
  const refused = await failure(client.deleteWorkflowNode(id, node.id, { expectedRevisionId }));
  expect([refused.statusCode, refused.message]).toMatchObject([400, expect.stringContaining("/recursive")]);
  const same = await client.rerouteWorkflowNode(id, first, { expectedRevisionId, newTargetNodeId: exit });
  expect(same.workflowRevisionId).toBe(expectedRevisionId);
  expect(await client.deleteWorkflowNode(id, second, { expectedRevisionId, dryRun: true })).toEqual({
    status: "dryRun",
    nodeIds: [second],
    queuedContactCount: 0,
  });
  const gone = await client.deleteWorkflowNodesRecursive(id, node.id, { expectedRevisionId });
  expect(gone).toMatchObject({ status: "deleted", nodeIds: [node.id, first, second] });
  const last = (gone as { workflowRevisionId: string }).workflowRevisionId;
  await client.deleteWorkflow(id, { expectedRevisionId: last, confirmDelete: true });
  expect((await failure(client.getWorkflow(id))).statusCode).toBe(404);
});

it("got an answer for every method of workflows", () => {
  const own = methodsOf().filter(isWorkflowMethod);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((name) => !used.has(name))).toEqual([]);
});
