import { beforeEach, describe, expect, it } from "vitest";
import { usersOfSegment } from "../../../../../src/email/workspace/segments/segment-users.ts";
import { recordUnsubscribe } from "../../../../../src/email/workspace/sending/marketing/unsubscribes.ts";
import { clearWorkflow, deletedWorkflows } from "../../../../../src/email/workspace/workflows/runs/deleted.ts";
import { advance, isolated, type Team } from "../../bench.ts";
import { addWaiting, ask, setTo, teamWithWorkflow } from "./bench.ts";

isolated();

let team: Team;
let revision = "rev_1";
beforeEach(async () => {
  team = await teamWithWorkflow();
  revision = "rev_1";
});

const change = async (method: string, path: string, body: object) => {
  const { status, json, text } = await ask(team, method, `/wfl_1${path}`, { expectedRevisionId: revision, ...body });
  expect(status, text).toBe(200);
  revision = json.workflowRevisionId ?? json.node?.workflowRevisionId ?? revision;
  return json;
};
const update = (node: string, payload: object) => change("POST", `/nodes/${node}`, { payload });
const edges = (workflow: { nodes: Record<string, { nextNodeIds: string[] }> }) =>
  Object.fromEntries(Object.entries(workflow.nodes).map(([id, { nextNodeIds }]) => [id, nextNodeIds.join(" ")]));

describe("edits", () => {
  it("before a node move every edge to it; a node between keeps the place of its edge", async () => {
    const { node, workflow } = await change("POST", "/nodes", {
      insertMode: "before",
      beforeNodeId: "nod_email",
      nodeTypeName: "TimerAction",
    });
    expect(edges(workflow)).toMatchObject({ nod_filter: node.id, nod_other: node.id, [node.id]: "nod_email" });
    const second = await change("POST", "/nodes", {
      insertMode: "between",
      fromNodeId: "nod_branch",
      toNodeId: "nod_filter",
      nodeTypeName: "AudienceFilter",
    });
    expect(edges(second.workflow).nod_branch).toBe(`${second.node.id} nod_other`);
    expect(Object.keys(second.workflow.nodes).at(-1)).toBe("nod_exit");
  });

  it("make an experiment of two variants and a control; a new control replaces the former one", async () => {
    const { node, workflow } = await change("POST", "/nodes", {
      insertMode: "between",
      fromNodeId: "nod_email",
      toNodeId: "nod_exit",
      nodeTypeName: "ExperimentBranchNode",
    });
    expect(node).toMatchObject({ samplingRate: 50 });
    const [first, second, control] = node.nextNodeIds;
    expect(node.createdChildNodes.map(({ isControl }: { isControl: boolean }) => isControl)).toEqual([
      false,
      false,
      true,
    ]);
    expect(workflow.nodes[control]).toEqual({ typeName: "VariantNode", nextNodeIds: ["nod_exit"], isControl: true });
    const after = (await update(first, { isControl: true })).workflow;
    expect([first, second, control].map((id) => after.nodes[id].isControl)).toEqual([true, false, false]);
    const added = await change("POST", `/nodes/${node.id}/add-branch`, {});
    expect(added.node).toMatchObject({ typeName: "VariantNode", isControl: false, nextNodeIds: ["nod_exit"] });
    expect(added.workflow.nodes[node.id].nextNodeIds).toEqual([first, second, control, added.node.id]);
    await change("DELETE", `/nodes/${first}`, {});
    await change("DELETE", `/nodes/${second}`, {});
    const place = { insertMode: "between", fromNodeId: node.id, toNodeId: "nod_exit", nodeTypeName: "VariantNode" };
    const restored = await change("POST", "/nodes", place);
    expect(restored.workflow.nodes[node.id].nextNodeIds).toEqual([restored.node.id, control, added.node.id]);
  });

  it("delete a node in place, and with /recursive only what is reached through it", async () => {
    const one = await change("DELETE", "/nodes/nod_filter", {});
    expect(one.nodeIds).toEqual(["nod_filter"]);
    expect(edges(one.workflow).nod_branch).toBe("nod_email nod_other");
    const path = await change("DELETE", "/nodes/nod_other/recursive", {});
    expect(path.nodeIds).toEqual(["nod_other"]);
    expect(edges(path.workflow).nod_branch).toBe("nod_email");
    const all = await change("DELETE", "/nodes/nod_branch/recursive", {});
    expect(all.nodeIds).toEqual(["nod_branch", "nod_email"]);
    expect(edges(all.workflow)).toEqual({ nod_1: "nod_timer", nod_timer: "nod_exit", nod_exit: "" });
  });

  it("lead a node elsewhere, so that paths meet later", async () => {
    const { id, workflow } = await change("POST", "/nodes/nod_filter/reroute", { newTargetNodeId: "nod_exit" });
    expect([id, edges(workflow).nod_filter]).toEqual(["nod_filter", "nod_exit"]);
  });

  it("change the type of the trigger: it keeps reEligible, and its other fields are dropped", async () => {
    const byId = await update("nod_1", { typeName: "EventTrigger", eventPatternId: "evp_1", reEligible: true });
    expect(byId).toMatchObject({ eventName: "signedUp", reEligible: true });
    const query = {
      key: "renewsAt",
      is: { operator: "between", value: { from: "2026-01-01", to: 1_800_000_000_000 } },
    };
    const was = { operator: "empty", value: null };
    const property = await update("nod_1", {
      typeName: "ContactPropertyTrigger",
      contactPropertyQuery: { ...query, was },
    });
    expect(property).toMatchObject({
      reEligible: true,
      contactPropertyQuery: {
        is: { operator: "between", value: "2026-01-01T00:00:00.000Z/2027-01-15T08:00:00.000Z" },
        was: { operator: "empty", value: "" },
      },
    });
    expect(property.eventName).toBeUndefined();
    await change("POST", "/mailing-list", { mailingListId: "lst_news" });
    const list = await update("nod_1", { typeName: "AddToListTrigger" });
    expect(list).toMatchObject({ mailingListId: "lst_news", reEligible: true });
    expect(Object.keys(await update("nod_1", { typeName: "SignupTrigger" }))).toEqual([
      "id",
      "typeName",
      "nextNodeIds",
      "workflowRevisionId",
      "workflow",
    ]);
    const event = await update("nod_1", { typeName: "EventTrigger", eventName: "neverSent" });
    expect(event).toMatchObject({ eventName: "neverSent", eventProperties: [], reEligible: false });
    expect((await team.get("/event-patterns/by-name/neverSent")).status).toBe(200);
    expect((await update("nod_1", { eventPatternId: null })).eventName).toBeUndefined();
    expect((await ask(team, "GET", "/wfl_1")).json.nodes.nod_1.eventName).toBeNull();
  });

  it("a segment or a filter alone clears the other, both stay together, and null clears only itself", async () => {
    const audienceFilter = { match: "all", conditions: [{ type: "property", key: "vip", operator: "isTrue" }] };
    const shown = async () => {
      const { json } = await ask(team, "GET", "/wfl_1/nodes/nod_filter");
      return [json.audienceFilter, json.audienceSegmentId];
    };
    await update("nod_filter", { audienceSegmentId: "seg_1" });
    expect(await shown()).toEqual([null, "seg_1"]);
    expect(await team.inside((sql) => usersOfSegment(sql, "seg_1"))).toEqual([
      { kind: "workflow", id: "wfl_1", name: "Trial nurture" },
    ]);
    await update("nod_filter", { audienceFilter });
    expect(await shown()).toEqual([audienceFilter, undefined]);
    await update("nod_filter", { audienceFilter, audienceSegmentId: "seg_1" });
    expect(await shown()).toEqual([audienceFilter, "seg_1"]);
    await update("nod_filter", { audienceFilter: null });
    expect(await shown()).toEqual([null, "seg_1"]);
    await update("nod_filter", { audienceSegmentId: null, appliesDownstream: true });
    expect(await shown()).toEqual([null, undefined]);
  });

  it("of ten at once from one revision, one is made", async () => {
    advance(2_000);
    const body = {
      expectedRevisionId: "rev_1",
      insertMode: "after",
      fromNodeId: "nod_1",
      nodeTypeName: "TimerAction",
    };
    const send = () => team.send("POST", "/workflows/wfl_1/nodes", { body });
    const statuses = (await Promise.all(Array.from({ length: 10 }, send))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it("keep the last 50 versions, and every version that ran", async () => {
    await update("nod_timer", { amount: 7 });
    await setTo(team, "Sending");
    const ran = revision;
    await setTo(team, "Paused");
    for (let i = 0; i < 55; i++) await update("nod_timer", { amount: i });
    const rows = await team.rows("SELECT revision, ran FROM workflow_versions ORDER BY number");
    expect(rows.filter((row) => row.ran === 0)).toHaveLength(50);
    expect(rows).toContainEqual({ revision: ran, ran: 1 });
    expect(rows.at(-1)?.revision).toBe(revision);
  });
});

describe("contacts who wait", () => {
  it("at a node that is deleted prevent it, are only counted, or leave", async () => {
    await addWaiting(team, 2, 5);
    await addWaiting(team, 3, 1);
    const before = await team.everything();
    const found = { nodeIds: ["nod_timer"], queuedContactCount: 5 };
    expect(await change("DELETE", "/nodes/nod_timer", {})).toEqual({ status: "queuedContactsFound", ...found });
    const asked = { dryRun: true, queuedContactPolicy: "discard" };
    expect(await change("DELETE", "/nodes/nod_timer", asked)).toEqual({ status: "dryRun", ...found });
    const query = new URLSearchParams({ expectedRevisionId: "rev_1", dryRun: "true" });
    const empty = await ask(team, "DELETE", `/wfl_1/nodes/nod_timer?${query}`);
    expect(empty.json).toEqual({ status: "dryRun", ...found });
    expect(await team.everything()).toBe(before);
    const gone = await change("DELETE", "/nodes/nod_timer", { queuedContactPolicy: "discard" });
    expect(gone).toMatchObject({ status: "deleted", ...found });
    const runs = await team.rows("SELECT node, wake, ended, count(*) AS n FROM runs GROUP BY node");
    expect(runs).toEqual([
      { node: 2, wake: null, ended: "node_deleted", n: 5 },
      { node: 3, wake: 1, ended: null, n: 1 },
    ]);
  });

  it("are counted at all nodes of a path", async () => {
    await addWaiting(team, 3, 2);
    await addWaiting(team, 6, 1);
    const answer = await change("DELETE", "/nodes/nod_branch/recursive", { dryRun: true });
    const nodeIds = ["nod_branch", "nod_filter", "nod_other", "nod_email"];
    expect(answer).toEqual({ status: "dryRun", nodeIds, queuedContactCount: 3 });
  });

  it("and are not on a new list prevent it, are only counted, or leave; without a list none leaves", async () => {
    await addWaiting(team, 2, 5);
    const before = await team.everything();
    const found = { mailingListId: "lst_news", queuedContactCount: 2 };
    const list = { mailingListId: "lst_news" };
    expect(await change("POST", "/mailing-list", list)).toEqual({ status: "queuedContactsFound", ...found });
    expect(await change("POST", "/mailing-list", { ...list, dryRun: true })).toEqual({ status: "dryRun", ...found });
    expect(await team.everything()).toBe(before);
    const changed = await change("POST", "/mailing-list", { ...list, queuedContactPolicy: "discard" });
    expect(changed).toMatchObject({ status: "updated", ...found, workflow: { mailingListId: "lst_news" } });
    expect(await team.rows("SELECT ended, count(*) AS n FROM runs GROUP BY ended")).toEqual([
      { ended: null, n: 3 },
      { ended: "list_changed", n: 2 },
    ]);
    const cleared = await change("POST", "/mailing-list", { mailingListId: null });
    expect(cleared).toMatchObject({ status: "updated", mailingListId: null, queuedContactCount: 0 });
  });

  it("go with their contact", async () => {
    await addWaiting(team, 2, 1);
    expect((await team.post("/contacts/delete", { email: "2-0@example.com" })).status).toBe(200);
    expect(await team.rows("SELECT * FROM runs")).toEqual([]);
  });
});

describe("the deletion of a workflow", () => {
  const remove = (body: object) => ask(team, "DELETE", "/wfl_1", { expectedRevisionId: "rev_1", ...body });
  const clear = () =>
    team.inside((sql) => {
      for (const n of deletedWorkflows(sql)) clearWorkflow({ sql, now: Date.now() }, n);
    });

  it("answers 204, and the workflow is not there any more; its email is, and cannot be changed", async () => {
    const { status, text } = await remove({});
    expect([status, text]).toEqual([204, ""]);
    for (const [method, path] of [
      ["GET", "/wfl_1"],
      ["GET", "/wfl_1/nodes/nod_1"],
      ["DELETE", "/wfl_1"],
    ] as const) {
      const answer = await ask(team, method, path, method === "GET" ? undefined : { expectedRevisionId: "rev_1" });
      expect([answer.status, answer.json.code]).toEqual([404, "workflow_not_found"]);
    }
    expect((await ask(team, "GET", "")).json.data).toEqual([]);
    await clear();
    expect(await team.rows("SELECT n FROM workflows UNION SELECT workflow FROM workflow_versions")).toEqual([]);
    expect((await team.get("/email-messages/msg_workflow")).status).toBe(200);
    const locked = await team.post("/email-messages/msg_workflow", { subject: "x" });
    expect([locked.status, locked.json.code]).toEqual([409, "email_message_locked"]);
  });

  it("waits for a confirmation while the workflow is sending, or contacts wait in it", async () => {
    await addWaiting(team, 2, 5);
    const before = await team.everything();
    const full = await remove({});
    expect([full.status, full.json]).toMatchObject([
      409,
      { code: "workflow_in_use", path: "confirmDelete", queuedContactCount: 5 },
    ]);
    expect(full.json.message).toMatch(/ Confirm deletion by sending a second request with confirmDelete: true\.$/);
    expect(await team.everything()).toBe(before);
    await team.run("DELETE FROM runs");
    await setTo(team, "Sending");
    expect((await remove({ confirmDelete: false })).json).toMatchObject({
      code: "workflow_in_use",
      queuedContactCount: 0,
    });
    await setTo(team, "Paused");
    await addWaiting(team, 3, 1_005);
    expect((await remove({ confirmDelete: true })).status).toBe(204);
    for (const left of [5, 0]) {
      await clear();
      expect(await team.rows("SELECT count(*) AS n FROM runs")).toEqual([{ n: left }]);
    }
    await clear();
    expect(await team.rows("SELECT * FROM workflows")).toEqual([]);
  });
});

describe("the email of a node", () => {
  const edit = (subject: string) => team.post("/email-messages/msg_workflow", { subject });

  it("is read and changed as an email message; the node shows its subject, and the workflow keeps its revision", async () => {
    const { json } = await team.get("/email-messages/msg_workflow");
    expect(json).toMatchObject({ workflowId: "wfl_1", subject: "", lmx: "" });
    expect(json.transactionalId).toBeUndefined();
    const filled = await team.post("/email-messages/msg_workflow", {
      expectedRevisionId: json.contentRevisionId,
      subject: "Hi {contact.firstName}, your {event.plan}",
      fromName: "Acme",
      fromEmail: "hello",
      lmx: "<Paragraph>Hello {contact.plan}</Paragraph>",
    });
    expect(filled.status, filled.text).toBe(200);
    const { nodes, workflowRevisionId } = (await ask(team, "GET", "/wfl_1")).json;
    expect(nodes.nod_email.subject).toBe("Hi {contact.firstName}, your {event.plan}");
    expect(workflowRevisionId).toBe("rev_1");
    expect((await team.get("/email-messages/msg_workflow/guardian")).json.errors).toEqual([]);
    const data = await team.post("/email-messages/msg_workflow", { lmx: "<Paragraph>{data.amount}</Paragraph>" });
    expect([data.status, data.json.code]).toEqual([422, "invalid_content"]);
  });

  it("is locked while the workflow is sending, and when its node was deleted", async () => {
    await setTo(team, "Sending");
    const sending = await edit("x");
    expect([sending.status, sending.json.code, sending.json.path]).toEqual([
      409,
      "email_message_locked",
      "emailMessageId",
    ]);
    await setTo(team, "PausedAndQueueing");
    expect((await edit("Paused")).status).toBe(200);
    await change("DELETE", "/nodes/nod_email", {});
    const removed = await edit("x");
    expect([removed.status, removed.json.code]).toEqual([409, "email_message_locked"]);
    expect((await team.get("/email-messages/msg_workflow")).json).toMatchObject({
      subject: "Paused",
      workflowId: "wfl_1",
    });
  });

  it("takes the change of a component that it uses", async () => {
    const { id } = (await team.post("/components", { name: "Footer", lmx: "<Paragraph>Acme</Paragraph>" })).json;
    const lmx = `<Component componentId="${id}" />`;
    const used = await team.post("/email-messages/msg_workflow", { subject: "S", fromName: "A", fromEmail: "a", lmx });
    expect(used.status, used.text).toBe(200);
    const { json } = await team.post(`/components/${id}`, { lmx: "<Paragraph>Acme Ltd</Paragraph>" });
    expect(json.affectedEmailCount).toBe(1);
  });

  it("has metrics: its mails, their opens and clicks, and contacts that left", async () => {
    const metrics = async () => (await ask(team, "GET", "/wfl_1/nodes/nod_email/metrics")).json;
    const none = { sends: 0, opens: 0, clicks: 0, unsubscribes: 0, spamReports: 0, hardBounces: 0, softBounces: 0 };
    expect(await metrics()).toEqual(none);
    await team.inside((sql) => {
      for (let i = 1; i <= 5; i++) {
        sql.exec(
          `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, preview)
           SELECT ?, 'snd_' || ?, 'marketing', m.revision, 'a@example.com', 'a@example.com', '<' || ? || '>', 'sending', 1, 0, 0
           FROM email_messages m WHERE m.id = 'msg_workflow'`,
          i,
          i,
          i,
        );
      }
      sql.exec("UPDATE sends SET state = 'queued'");
      sql.exec("UPDATE sends SET state = 'sent'");
      sql.exec("UPDATE sends SET state = 'bounced' WHERE n = 1");
      sql.exec("UPDATE sends SET state = 'failed' WHERE n = 2");
      sql.exec("UPDATE sends SET state = 'complained' WHERE n = 3");
      sql.exec(
        `INSERT INTO message_engagement (message, opened, clicked, prefetched, scanned)
         SELECT n, 3, 2, 0, 0 FROM email_messages WHERE id = 'msg_workflow'`,
      );
      sql.exec(
        "INSERT INTO engagement (contact, message, run, send) SELECT 1, n, 0, 4 FROM email_messages WHERE id = 'msg_workflow'",
      );
      for (const type of ["email.unsubscribed", "email.unsubscribed", "email.resubscribed"] as const)
        recordUnsubscribe({ sql, now: Date.now() }, { row: 1, send: 4 }, type);
    });
    const counted = { sends: 5, opens: 3, clicks: 2, unsubscribes: 1, spamReports: 1, hardBounces: 1, softBounces: 1 };
    expect(await metrics()).toEqual(counted);
  });
});

it("a workflow that was paused queues new contacts for 24 hours", async () => {
  const status = async () => (await ask(team, "GET", "/wfl_1")).json.status;
  await setTo(team, "PausedAndQueueing");
  advance(86_000_000);
  expect(await status()).toBe("PausedAndQueueing");
  advance(400_000);
  expect(await status()).toBe("Paused");
});

it("name, description and group of a workflow change, and make a new revision", async () => {
  const { id } = (await team.post("/workflow-groups", { name: "Billing" })).json;
  const json = await change("POST", "", { name: "  New ", description: "Why", workflowGroupId: id });
  expect(json).toMatchObject({ name: "New", description: "Why", workflowGroupId: id });
  expect(revision).not.toBe("rev_1");
  const kept = await change("POST", "", { name: "Newer" });
  expect(kept).toMatchObject({ name: "Newer", description: "Why", workflowGroupId: id });
  const { data } = (await ask(team, "GET", "")).json;
  expect(data).toEqual([
    {
      id: "wfl_1",
      url: expect.stringMatching(/\/v1\/workflows\/wfl_1$/),
      name: "Newer",
      workflowGroupId: id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ]);
});
