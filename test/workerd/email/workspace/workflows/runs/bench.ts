import { expect } from "vitest";
import { advance, type Team } from "../../../bench.ts";

export const CONTENT = {
  subject: "Hello",
  fromName: "Acme",
  fromEmail: "hello",
  lmx: "<Paragraph>Hello</Paragraph>",
};

/** A workflow that may be started: event "paid" → mail → timer of one day → exit. `mail`: id of its email message. */
export type Ready = { id: string; root: string; email: string; timer: string; exit: string; mail: string };

/** Sends a change of a workflow with its current revision, and returns the answer. */
export const edit = async (team: Team, id: string, path: string, body: object, method = "POST") => {
  advance(1_100);
  const { json } = await team.send("GET", `/workflows/${id}`);
  const { workflowRevisionId: expectedRevisionId } = json;
  const answer = await team.send(method, `/workflows/${id}${path}`, { body: { expectedRevisionId, ...body } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

export const addReady = async (team: Team, name = "Paid"): Promise<Ready> => {
  advance(1_100);
  const { id, rootNodeId: root } = (await team.post("/workflows", { name })).json;
  const trigger = { payload: { typeName: "EventTrigger", eventName: "paid" } };
  const { workflow } = await edit(team, id, `/nodes/${root}`, trigger);
  const [exit] = workflow.nodes[root].nextNodeIds;
  const after = (nodeTypeName: string, fromNodeId: string) =>
    edit(team, id, "/nodes", { insertMode: "after", nodeTypeName, fromNodeId });
  const { node: email } = await after("SendEmailAction", root);
  const { node: timer } = await after("TimerAction", email.id);
  advance(1_100);
  expect((await team.post(`/email-messages/${email.emailMessageId}`, CONTENT)).status).toBe(200);
  return { id, root, exit, email: email.id, timer: timer.id, mail: email.emailMessageId };
};

export const pay = (team: Team, email: string, more: object = {}) =>
  team.post("/events/send", { email, eventName: "paid", ...more });
