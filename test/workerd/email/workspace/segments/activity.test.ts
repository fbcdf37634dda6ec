import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
let workflow: string;
let emails: { node: string; message: string }[];

/**
 * A workflow with two emails. Ada was sent both and opened the first; Bob was sent the second and clicked it; Eve
 * nothing.
 */
beforeEach(async () => {
  team = await createTeam();
  const created = (await team.post("/workflows", { name: "Trial" })).json;
  workflow = created.id;
  emails = [];
  let revision = created.workflowRevisionId;
  const exit = Object.keys(created.nodes).find((id) => created.nodes[id].typeName === "ExitAction");
  for (let i = 0; i < 2; i++) {
    const body = {
      expectedRevisionId: revision,
      insertMode: "before",
      nodeTypeName: "SendEmailAction",
      toNodeId: exit,
    };
    const { node } = (await team.post(`/workflows/${workflow}/nodes`, body)).json;
    revision = node.workflowRevisionId;
    emails.push({ node: node.id, message: node.emailMessageId });
  }
  for (const name of ["ada", "bob", "eve"]) await team.post("/contacts/create", { email: `${name}@example.com` });
  const engage = (name: string, message: string, opened: number | null, clicked: number | null) =>
    team.run(
      `INSERT INTO engagement (contact, message, run, send, sent_at, opened_at, clicked_at)
       SELECT c.n, m.n, 0, 1, 1, ?, ? FROM contacts c, email_messages m WHERE c.email = ? AND m.id = ?`,
      opened,
      clicked,
      `${name}@example.com`,
      message,
    );
  await engage("ada", emails[0]?.message ?? "", 2, null);
  await engage("ada", emails[1]?.message ?? "", null, null);
  await engage("bob", emails[1]?.message ?? "", 2, 3);
});

const activity = (action: string, target: string, id: string | undefined, negate = false) => ({
  type: "activity",
  action,
  negate,
  target,
  id,
});
const whom = async (condition: object) => {
  const found: string[] = [];
  for (const name of ["ada", "bob", "eve"]) {
    const address = { type: "property", key: "email", operator: "equals", value: `${name}@example.com` };
    const filter = { match: "all", conditions: [condition, address] };
    const { status, json } = await team.admin("POST", "/audience/estimate", { filter });
    expect(status, JSON.stringify(json)).toBe(200);
    if (json.contacts === 1) found.push(name);
  }
  return found;
};

describe("an activity condition", () => {
  it("asks for any email of a workflow, also of a node that was deleted", async () => {
    expect(await whom(activity("sent", "workflow", workflow))).toEqual(["ada", "bob"]);
    expect(await whom(activity("opened", "workflow", workflow))).toEqual(["ada", "bob"]);
    expect(await whom(activity("clicked", "workflow", workflow))).toEqual(["bob"]);
    expect(await whom(activity("clicked", "workflow", workflow, true))).toEqual(["ada"]);
    expect(await whom(activity("opened", "workflow", workflow, true))).toEqual([]);
    expect(await whom(activity("sent", "workflow", workflow, true))).toEqual(["eve"]);
    const { workflowRevisionId: expectedRevisionId } = (await team.get(`/workflows/${workflow}`)).json;
    const path = `/workflows/${workflow}/nodes/${emails[1]?.node}?expectedRevisionId=${expectedRevisionId}`;
    expect((await team.remove(path)).status).toBe(200);
    expect(await whom(activity("clicked", "workflow", workflow))).toEqual(["bob"]);
  });

  it("asks for one email of a workflow, by its own id or that of its node", async () => {
    const [first, second] = emails;
    for (const id of [second?.message, second?.node]) {
      expect(await whom(activity("sent", "workflowEmail", id))).toEqual(["ada", "bob"]);
      expect(await whom(activity("opened", "workflowEmail", id))).toEqual(["bob"]);
    }
    expect(await whom(activity("sent", "workflowEmail", first?.message, true))).toEqual(["bob", "eve"]);
  });

  it("finds near misses in the same way", async () => {
    const filter = { match: "all", conditions: [activity("opened", "workflow", workflow, true)] };
    const { json } = await team.admin("POST", "/audience/estimate", { filter });
    expect(json).toMatchObject({
      contacts: 0,
      nearMisses: [{ path: "filter.conditions.0", contacts: 3 }],
      warnings: [],
    });
  });

  it("warns where most of those who are left were never sent the mail", async () => {
    const asked = activity("opened", "workflowEmail", emails[0]?.message, true);
    const everybody = { type: "property", key: "email", operator: "contains", value: "@example.com" };
    const estimate = async (match: string, ...conditions: object[]) =>
      (await team.admin("POST", "/audience/estimate", { filter: { match, conditions } })).json.warnings;
    expect(await estimate("any", everybody, asked)).toEqual([
      {
        code: "mostly_unreached",
        path: "filter.conditions.1",
        message: `2 of 3 contacts looked at were never sent the mail with the id ${emails[0]?.message}. To reach those who got it and did not open it, all conditions have to match, and one of them is "opened" with negate.`,
      },
    ]);
    expect(await estimate("all", everybody, activity("opened", "workflow", workflow, true))).toEqual([]);
    expect(await estimate("any", everybody, activity("opened", "workflow", workflow, true))).toEqual([]);
    expect(await estimate("all", everybody)).toEqual([]);
  });

  it("is 404 for a message that is no email of a workflow, and for another team's workflow", async () => {
    const { draftEmailMessageId } = (await team.post("/transactional-emails", { name: "Receipt" })).json;
    const other = await createTeam({ id: "globex" });
    const create = (on: Team, target: string, id: string | undefined) =>
      on.post("/audience-segments", {
        name: "A",
        filter: { match: "all", conditions: [activity("sent", target, id)] },
      });
    expect(await create(team, "workflowEmail", draftEmailMessageId)).toMatchObject({ status: 404 });
    expect(await create(other, "workflow", workflow)).toMatchObject({
      status: 404,
      json: { code: "workflow_not_found" },
    });
    expect(await create(other, "workflowEmail", emails[0]?.message)).toMatchObject({ status: 404 });
  });
});

describe("a segment in use", () => {
  it("cannot be deleted, and the refusal names its users", async () => {
    const filter = { match: "all", conditions: [activity("sent", "workflow", workflow)] };
    const { id } = (await team.post("/audience-segments", { name: "Got it", filter })).json;
    const { workflowRevisionId, nodes } = (await team.get(`/workflows/${workflow}`)).json;
    const exit = Object.keys(nodes).find((key) => nodes[key].typeName === "ExitAction");
    const asked = { insertMode: "before", nodeTypeName: "AudienceFilter", toNodeId: exit };
    const path = `/workflows/${workflow}/nodes`;
    const { node } = (await team.post(path, { expectedRevisionId: workflowRevisionId, ...asked })).json;
    const payload = { audienceSegmentId: id };
    await team.post(`${path}/${node.id}`, { expectedRevisionId: node.workflowRevisionId, payload });
    const usage = () => team.admin("GET", `/audience-segments/${id}/usage`);
    expect((await usage()).json).toEqual({ data: [{ kind: "workflow", id: workflow, name: "Trial" }] });
    expect((await team.admin("GET", "/audience-segments/seg_no/usage")).status).toBe(404);
    const refused = await team.admin("DELETE", `/audience-segments/${id}`);
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: "segment_in_use", users: [{ kind: "workflow", id: workflow, name: "Trial" }] },
    ]);
    expect(refused.json.message).toContain(`workflow "Trial" (${workflow})`);
    expect((await team.get(`/audience-segments/${id}`)).status).toBe(200);
    expect((await team.admin("POST", `/audience-segments/${id}`, { name: "Received" })).status).toBe(200);
  });
});

it("a condition on a workflow that was deleted matches no contact", async () => {
  const filter = { match: "all", conditions: [activity("sent", "workflow", workflow, true)] };
  const { id } = (await team.post("/audience-segments", { name: "Not yet", filter })).json;
  const estimate = async () =>
    (await team.admin("POST", "/audience/estimate", { audienceSegmentId: id })).json.contacts;
  expect(await estimate()).toBe(1);
  const { workflowRevisionId } = (await team.get(`/workflows/${workflow}`)).json;
  expect((await team.remove(`/workflows/${workflow}?expectedRevisionId=${workflowRevisionId}`)).status).toBe(204);
  expect(await estimate()).toBe(0);
});
