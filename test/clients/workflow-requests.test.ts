import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, pause, startService } from "./team.ts";

// The workflow requests of the Go client: keys sorted, null for a nil pointer, a body with DELETE.

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

const goJson = (body: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))));

it("the Go client's requests build, change and delete a workflow", async () => {
  const { key, list } = await createTeam(mailspan, "requests-go-workflows", true);
  const send = async (method: string, path: string, body?: string) => {
    await pause();
    const response = await fetch(`${mailspan.emailUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "User-Agent": "loops-go/0.6.0", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  };
  const ok = async (method: string, path: string, body?: string) => {
    const { status, json } = await send(method, path, body);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
  await ok("POST", "/contacts/create", '{"email":"ada@example.com","plan":"pro"}');
  const created = await ok("POST", "/workflows", '{"name":"Trial nurture","mailingListId":null}');
  const { id, rootNodeId: root } = created;
  const [exit] = created.nodes[root].nextNodeIds;
  let expectedRevisionId = created.workflowRevisionId;
  const change = async (method: string, path: string, fields: Record<string, unknown> = {}) => {
    const json = await ok(method, `/workflows/${id}${path}`, goJson({ expectedRevisionId, ...fields }));
    expectedRevisionId = json.workflow?.workflowRevisionId ?? json.workflowRevisionId ?? expectedRevisionId;
    return json;
  };
  const place = { insertMode: "before", nodeTypeName: "TimerAction", toNodeId: exit };
  const timer = (await change("POST", "/nodes", place)).node.id;
  await change("POST", `/nodes/${root}`, {
    payload: {
      typeName: "ContactPropertyTrigger",
      contactPropertyQuery: {
        key: "plan",
        is: { value: "pro", operator: "equal" },
        was: { value: null, operator: "any" },
      },
    },
  });
  await change("POST", `/nodes/${timer}`, { payload: { amount: 3, unit: "d" } });
  const after = { fromNodeId: timer, insertMode: "after", nodeTypeName: "BranchNode" };
  const branch = (await change("POST", "/nodes", after)).node;
  const path = (await change("POST", `/nodes/${branch.id}/add-branch`)).node.id;
  const between = { fromNodeId: path, insertMode: "between", nodeTypeName: "SendEmailAction", toNodeId: exit };
  const email = (await change("POST", "/nodes", between)).node;
  const [first, second] = branch.nextNodeIds;
  expect((await change("POST", `/nodes/${second}/reroute`, { newTargetNodeId: email.id })).nextNodeIds).toEqual([
    email.id,
  ]);
  const preview = await change("POST", "/mailing-list", { dryRun: true, mailingListId: list });
  expect(preview).toEqual({ status: "dryRun", mailingListId: list, queuedContactCount: 0 });
  const one = await change("DELETE", `/nodes/${timer}`, { queuedContactPolicy: "discard" });
  expect(one).toMatchObject({ status: "deleted", nodeIds: [timer] });
  const all = await change("DELETE", `/nodes/${branch.id}/recursive`);
  expect(all).toMatchObject({ status: "deleted", nodeIds: [branch.id, first, second, path, email.id] });
  const stale = await send("DELETE", `/workflows/${id}`, '{"expectedRevisionId":null}');
  expect([stale.status, stale.json.code]).toEqual([409, "stale_revision"]);
  expect((await send("DELETE", `/workflows/${id}`, goJson({ confirmDelete: true, expectedRevisionId }))).status).toBe(
    204,
  );
  expect((await ok("GET", "/workflows?perPage=10")).data).toEqual([]);
});
