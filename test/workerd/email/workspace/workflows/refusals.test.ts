import { beforeEach, describe, expect, it } from "vitest";
import { isolated, type Team } from "../../bench.ts";
import { ask, setTo, teamWithWorkflow } from "./bench.ts";

isolated();

// Every refusal of a workflow change: status, code, path, and no writes. Shared refusals of bodies, types and unknown
// workflows are in test/workerd/email/http/content.test.ts.

let team: Team;
beforeEach(async () => {
  team = await teamWithWorkflow();
});

const current = { expectedRevisionId: "rev_1" };
const W = "/wfl_1";
const at = (node: string, rest = "") => `${W}/nodes/${node}${rest}`;

type Case = [method: string, path: string, body: object, status: number, code: string, field: string | undefined];

const refused = async (cases: Case[]) => {
  const before = await team.everything();
  for (const [method, path, body, status, code, field] of cases) {
    const answer = await ask(team, method, path, body);
    const what = `${method} ${path} ${JSON.stringify(body)}: ${answer.text.slice(0, 300)}`;
    expect([answer.status, answer.json.code, answer.json.path], what).toEqual([status, code, field]);
    expect(answer.json.message.length, what).toBeGreaterThan(15);
    expect(answer.json.success, what).toBe(false);
  }
  expect(await team.everything()).toBe(before);
};

const changes: [method: string, path: string, body: object][] = [
  ["POST", W, { name: "New" }],
  ["DELETE", W, {}],
  ["POST", `${W}/mailing-list`, { mailingListId: "lst_news" }],
  ["POST", `${W}/nodes`, { insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: "nod_1" }],
  ["POST", at("nod_branch", "/add-branch"), {}],
  ["POST", at("nod_timer"), { payload: { amount: 2 } }],
  ["POST", at("nod_filter", "/reroute"), { newTargetNodeId: "nod_exit" }],
  ["DELETE", at("nod_timer"), {}],
  ["DELETE", at("nod_branch", "/recursive"), {}],
];
const ofGraph = changes.slice(2);

describe("every change", () => {
  it("needs the current revision; null and old ones are refused, and the answer names the current one", async () => {
    await refused(
      changes.map(([method, path, body]) => [method, path, body, 400, "invalid_request", "expectedRevisionId"]),
    );
    for (const expectedRevisionId of [null, "rev_0", "", "Rev_1"]) {
      await refused(
        changes.map(([method, path, body]) => [
          ...([method, path, { ...body, expectedRevisionId }] as const),
          ...([409, "stale_revision", "expectedRevisionId"] as const),
        ]),
      );
    }
    const { json } = await ask(team, "POST", W, { name: "x", expectedRevisionId: "rev_0" });
    expect(json).toMatchObject({ workflowRevisionId: "rev_1", message: expect.stringContaining("rev_1") });
  });

  it("is refused with an unknown field, which is named", async () => {
    await refused(
      changes.map(([method, path, body]) => [
        ...([method, path, { ...body, ...current, color: "red" }, 400] as const),
        ...(["invalid_request", "color"] as const),
      ]),
    );
    await refused([
      ["POST", "", { name: "New", color: "red" }, 400, "invalid_request", "color"],
      [
        "POST",
        at("nod_timer"),
        { ...current, payload: { amount: 1, color: 1 } },
        400,
        "invalid_request",
        "payload.color",
      ],
    ]);
  });

  it("answers 404 for a node that is not there, also one of another workflow", async () => {
    const { json: other } = await ask(team, "POST", "", { name: "Other" });
    const none = ["nod_none", other.rootNodeId, "toString", "__proto__"];
    for (const id of none) {
      await refused(
        ofGraph
          .slice(2)
          .map(([method, path, body]) => [
            ...([method, path.replace(/nodes\/\w+/, `nodes/${id}`), { ...body, ...current }] as const),
            ...([404, "node_not_found", "nodeId"] as const),
          ]),
      );
      const node = { ...current, nodeTypeName: "TimerAction" };
      await refused([
        ["POST", `${W}/nodes`, { ...node, insertMode: "after", fromNodeId: id }, 404, "node_not_found", "fromNodeId"],
        ["POST", `${W}/nodes`, { ...node, insertMode: "before", toNodeId: id }, 404, "node_not_found", "toNodeId"],
        [
          "POST",
          `${W}/nodes`,
          { ...node, insertMode: "before", beforeNodeId: id },
          404,
          "node_not_found",
          "beforeNodeId",
        ],
        [
          "POST",
          at("nod_filter", "/reroute"),
          { ...current, newTargetNodeId: id },
          404,
          "node_not_found",
          "newTargetNodeId",
        ],
      ]);
    }
    for (const path of [at("nod_none"), at("nod_none", "/metrics")]) {
      const { status, json } = await ask(team, "GET", path);
      expect([status, json.code, json.path]).toEqual([404, "node_not_found", "nodeId"]);
    }
  });

  it("of graph or list waits until the workflow is not sending; a stale revision and an unknown node come first", async () => {
    await setTo(team, "Sending");
    await refused(
      ofGraph.map(([method, path, body]) => [
        ...([method, path, { ...body, ...current }] as const),
        ...([400, "workflow_sending", "workflowId"] as const),
      ]),
    );
    await refused([
      ["DELETE", at("nod_timer"), { expectedRevisionId: "rev_0" }, 409, "stale_revision", "expectedRevisionId"],
      ["DELETE", at("nod_none"), current, 404, "node_not_found", "nodeId"],
      ["POST", at("nod_email"), { ...current, payload: { amount: 1 } }, 400, "workflow_sending", "workflowId"],
    ]);
    const renamed = await ask(team, "POST", W, { ...current, name: "While sending", description: "yes" });
    expect([renamed.status, renamed.json.status, renamed.json.name]).toEqual([200, "Sending", "While sending"]);
    await setTo(team, "PausedAndQueueing");
    const expectedRevisionId = renamed.json.workflowRevisionId;
    expect((await ask(team, "DELETE", at("nod_timer"), { expectedRevisionId })).status).toBe(200);
  });
});

it("a workflow is refused without a name, with a wrong list, group or too long texts", async () => {
  const long = { name: "x".repeat(256), description: "x".repeat(1_001) };
  await refused([
    ["POST", "", {}, 400, "invalid_request", "name"],
    ["POST", "", { name: "  " }, 400, "invalid_request", "name"],
    ["POST", "", { name: long.name }, 400, "invalid_request", "name"],
    ["POST", "", { name: "W", description: long.description }, 400, "invalid_request", "description"],
    ["POST", "", { name: "W", mailingListId: "lst_none" }, 400, "unknown_mailing_list", "mailingListId"],
    ["POST", "", { name: "W", mailingListId: "lst_old" }, 400, "mailing_list_archived", "mailingListId"],
    ["POST", "", { name: "W", workflowGroupId: "grp_none" }, 400, "unknown_workflow_group", "workflowGroupId"],
    ["POST", W, current, 400, "invalid_request", "name"],
    ["POST", W, { ...current, workflowGroupId: "grp_none" }, 400, "unknown_workflow_group", "workflowGroupId"],
    ["POST", `${W}/mailing-list`, current, 400, "invalid_request", "mailingListId"],
    [
      "POST",
      `${W}/mailing-list`,
      { ...current, mailingListId: "lst_none" },
      400,
      "unknown_mailing_list",
      "mailingListId",
    ],
    [
      "POST",
      `${W}/mailing-list`,
      { ...current, mailingListId: "lst_old" },
      400,
      "mailing_list_archived",
      "mailingListId",
    ],
    [
      "POST",
      `${W}/mailing-list`,
      { ...current, mailingListId: null, queuedContactPolicy: "x" },
      400,
      "invalid_request",
      "queuedContactPolicy",
    ],
  ]);
});

it("a 501st workflow is refused", async () => {
  await team.run(
    `WITH RECURSIVE i(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM i WHERE i <= 500)
     INSERT INTO workflows SELECT i, 'wfl_' || i, 'W', '', 1, NULL, 'Draft', NULL, 'rev_1', graph, 0, 0, NULL FROM i, workflows`,
  );
  await refused([["POST", "", { name: "W" }, 400, "too_many_workflows", undefined]]);
});

it("a node is refused where it cannot stand", async () => {
  const insert = (body: object, code: string, field: string): Case => {
    return ["POST", `${W}/nodes`, { ...current, nodeTypeName: "TimerAction", ...body }, 400, code, field];
  };
  const { json } = await ask(team, "POST", `${W}/nodes`, {
    ...current,
    insertMode: "between",
    nodeTypeName: "ExperimentBranchNode",
    fromNodeId: "nod_email",
    toNodeId: "nod_exit",
  });
  const experiment = json.node.id as string;
  const [variant] = json.node.nextNodeIds as string[];
  await team.run("UPDATE workflows SET revision = 'rev_1'");
  const between = (fromNodeId: string, toNodeId: string | undefined) => ({
    insertMode: "between",
    fromNodeId,
    toNodeId,
  });
  await refused([
    insert({}, "invalid_request", "insertMode"),
    insert({ insertMode: "above", toNodeId: "nod_exit" }, "invalid_request", "insertMode"),
    insert({ insertMode: "after", fromNodeId: "nod_1", nodeTypeName: "ExitAction" }, "invalid_request", "nodeTypeName"),
    insert(
      { insertMode: "after", fromNodeId: "nod_1", nodeTypeName: "SignupTrigger" },
      "invalid_request",
      "nodeTypeName",
    ),
    insert({ insertMode: "between", fromNodeId: "nod_1" }, "invalid_request", "toNodeId"),
    insert({ insertMode: "between", toNodeId: "nod_timer" }, "invalid_request", "fromNodeId"),
    insert({ insertMode: "before" }, "invalid_request", "toNodeId"),
    insert({ insertMode: "before", toNodeId: "nod_exit", beforeNodeId: "nod_exit" }, "invalid_request", "beforeNodeId"),
    insert({ insertMode: "before", toNodeId: "nod_exit", fromNodeId: "nod_1" }, "invalid_request", "fromNodeId"),
    insert({ insertMode: "after" }, "invalid_request", "fromNodeId"),
    insert({ insertMode: "after", fromNodeId: "nod_1", toNodeId: "nod_timer" }, "invalid_request", "toNodeId"),
    insert({ ...between("nod_1", "nod_timer"), beforeNodeId: "nod_timer" }, "invalid_request", "beforeNodeId"),
    insert(between("nod_1", "nod_exit"), "invalid_placement", "toNodeId"),
    insert(between("nod_exit", "nod_1"), "invalid_placement", "toNodeId"),
    insert({ insertMode: "before", toNodeId: "nod_1" }, "invalid_placement", "toNodeId"),
    insert({ insertMode: "before", beforeNodeId: "nod_1" }, "invalid_placement", "beforeNodeId"),
    insert({ insertMode: "after", fromNodeId: "nod_exit" }, "invalid_placement", "fromNodeId"),
    insert({ insertMode: "after", fromNodeId: "nod_branch" }, "invalid_placement", "fromNodeId"),
    insert(between(experiment, variant), "invalid_placement", "fromNodeId"),
    insert({ insertMode: "before", toNodeId: variant }, "invalid_placement", "toNodeId"),
    insert({ ...between(experiment, variant), nodeTypeName: "VariantNode" }, "invalid_placement", "toNodeId"),
    insert({ ...between("nod_1", "nod_timer"), nodeTypeName: "VariantNode" }, "invalid_placement", "fromNodeId"),
    insert(
      { insertMode: "after", fromNodeId: "nod_1", nodeTypeName: "VariantNode" },
      "invalid_placement",
      "insertMode",
    ),
    insert(
      { insertMode: "before", toNodeId: "nod_exit", nodeTypeName: "VariantNode" },
      "invalid_placement",
      "insertMode",
    ),
    ["POST", at("nod_timer", "/add-branch"), current, 400, "invalid_target", "nodeId"],
  ]);
});

it("the 301st node is refused, with the children of a branch counted", async () => {
  await team.inside((sql) => {
    const { graph } = sql.exec<{ graph: string }>("SELECT graph FROM workflows").one();
    const read = JSON.parse(graph);
    let below = "nod_1";
    for (let i = 0; Object.keys(read.nodes).length < 299; i++) {
      const { nextNodeIds } = read.nodes[below];
      read.nodes[below].nextNodeIds = [`nod_t${i}`];
      read.nodes[`nod_t${i}`] = { typeName: "TimerAction", amount: 0, unit: "m", k: 100 + i, nextNodeIds };
      below = `nod_t${i}`;
    }
    sql.exec("UPDATE workflows SET graph = ?", JSON.stringify({ ...read, lastK: 500 }));
  });
  const node = { ...current, insertMode: "after", fromNodeId: "nod_1" };
  await refused([
    ["POST", `${W}/nodes`, { ...node, nodeTypeName: "BranchNode" }, 400, "node_limit", undefined],
    ["POST", `${W}/nodes`, { ...node, nodeTypeName: "ExperimentBranchNode" }, 400, "node_limit", undefined],
  ]);
  expect((await ask(team, "POST", at("nod_branch", "/add-branch"), current)).status).toBe(200);
  await team.run("UPDATE workflows SET revision = 'rev_1'");
  await refused([
    ["POST", `${W}/nodes`, { ...node, nodeTypeName: "TimerAction" }, 400, "node_limit", undefined],
    ["POST", at("nod_branch", "/add-branch"), current, 400, "node_limit", undefined],
  ]);
});

it("a connection is refused where it cannot lead", async () => {
  const reroute = (source: string, newTargetNodeId: string, field = "newTargetNodeId"): Case => {
    return ["POST", at(source, "/reroute"), { ...current, newTargetNodeId }, 400, "invalid_target", field];
  };
  await refused([
    reroute("nod_branch", "nod_exit", "nodeId"),
    reroute("nod_exit", "nod_timer", "nodeId"),
    reroute("nod_1", "nod_exit"),
    reroute("nod_filter", "nod_1"),
    reroute("nod_filter", "nod_filter"),
    reroute("nod_filter", "nod_timer"),
    reroute("nod_filter", "nod_branch"),
    reroute("nod_filter", "nod_other"),
  ]);
  const same = await ask(team, "POST", at("nod_filter", "/reroute"), { ...current, newTargetNodeId: "nod_email" });
  expect([same.status, same.json.workflowRevisionId]).toEqual([200, "rev_1"]);
});

it("a deletion is refused for the trigger, the exit, and a branch without /recursive", async () => {
  await refused([
    ["DELETE", at("nod_1"), current, 400, "invalid_target", "nodeId"],
    ["DELETE", at("nod_exit"), current, 400, "invalid_target", "nodeId"],
    ["DELETE", at("nod_1", "/recursive"), current, 400, "invalid_target", "nodeId"],
    ["DELETE", at("nod_exit", "/recursive"), current, 400, "invalid_target", "nodeId"],
    ["DELETE", at("nod_branch"), current, 400, "invalid_target", "nodeId"],
    ["DELETE", at("nod_timer"), { ...current, dryRun: "perhaps" }, 400, "invalid_request", "dryRun"],
    [
      "DELETE",
      at("nod_timer"),
      { ...current, queuedContactPolicy: "advance" },
      400,
      "invalid_request",
      "queuedContactPolicy",
    ],
  ]);
  const { json } = await ask(team, "DELETE", at("nod_branch"), current);
  expect(json.message).toContain("/recursive");
});

const changed = (node: string, payload: object, code: string, field: string, status = 400): Case => {
  return ["POST", at(node), { ...current, payload }, status, code, field];
};

it("a payload with the type of a node that has no type to choose is told to leave it out", async () => {
  for (const typeName of ["AudienceFilter", "TimerAction", "VariantNode"]) {
    const { json } = await ask(team, "POST", at("nod_filter"), { ...current, payload: { typeName } });
    expect(json.message).toMatch(
      /^payload\.typeName: must be left out: only a trigger's payload has one \(SignupTrigger,/,
    );
  }
});

it("fields of a node are refused that its type does not have, or whose values do not fit", async () => {
  const between = { operator: "between", value: "2026-01-02/2026-01-01" };
  const query = (key: string, is: object, was: object = { operator: "any", value: "" }) => ({
    typeName: "ContactPropertyTrigger",
    contactPropertyQuery: { key, is, was },
  });
  const at2 = "payload.contactPropertyQuery";
  await refused([
    changed("nod_timer", {}, "invalid_request", "payload"),
    ["POST", at("nod_timer"), current, 400, "invalid_request", "payload"],
    changed("nod_timer", { amount: -1 }, "invalid_request", "payload.amount"),
    changed("nod_timer", { amount: 731 }, "invalid_request", "payload.amount"),
    changed("nod_timer", { amount: 18_000, unit: "h" }, "invalid_request", "payload.amount"),
    changed("nod_timer", { unit: "w" }, "invalid_request", "payload.unit"),
    changed("nod_timer", { samplingRate: 5 }, "invalid_request", "payload.samplingRate"),
    changed("nod_timer", { typeName: "EventTrigger" }, "invalid_request", "payload.typeName"),
    changed("nod_filter", { typeName: "AudienceFilter" }, "invalid_request", "payload.typeName"),
    changed("nod_filter", { amount: 5 }, "invalid_request", "payload.amount"),
    changed("nod_filter", { appliesDownstream: "yes" }, "invalid_request", "payload.appliesDownstream"),
    changed("nod_filter", { audienceSegmentId: "seg_none" }, "segment_not_found", "payload.audienceSegmentId", 404),
    changed(
      "nod_filter",
      { audienceFilter: { match: "all", conditions: [] } },
      "invalid_request",
      "payload.audienceFilter.conditions",
    ),
    changed("nod_1", { reEligible: true }, "invalid_request", "payload.typeName"),
    changed("nod_1", { typeName: "BlankTrigger" }, "invalid_request", "payload.typeName"),
    changed("nod_1", { typeName: "SignupTrigger", reEligible: true }, "invalid_request", "payload.reEligible"),
    changed("nod_1", { typeName: "AddToListTrigger", eventName: "x" }, "invalid_request", "payload.eventName"),
    changed(
      "nod_1",
      { typeName: "EventTrigger", eventName: "x", eventPatternId: "evp_1" },
      "invalid_request",
      "payload.eventName",
    ),
    changed("nod_1", { typeName: "EventTrigger", eventName: "a:b" }, "invalid_request", "payload.eventName"),
    changed(
      "nod_1",
      { typeName: "EventTrigger", eventPatternId: "evp_none" },
      "event_pattern_not_found",
      "payload.eventPatternId",
      404,
    ),
    changed("nod_timer", { eventPatternId: "evp_none" }, "invalid_request", "payload.eventPatternId"),
    changed("nod_1", query("none", { operator: "any", value: "" }), "unknown_property", `${at2}.key`),
    changed("nod_1", query("createdAt", { operator: "any", value: "" }), "invalid_request", `${at2}.key`),
    changed("nod_1", query("notes", { operator: "any", value: "" }), "unknown_property", `${at2}.key`),
    changed("nod_1", query("plan", { operator: "greater_than", value: 1 }), "invalid_request", `${at2}.is.operator`),
    changed("nod_1", query("seats", { operator: "empty", value: "" }), "invalid_request", `${at2}.is.operator`),
    changed("nod_1", query("seats", { operator: "greater_than", value: "many" }), "invalid_request", `${at2}.is.value`),
    changed("nod_1", query("plan", { operator: "equal", value: 5 }), "invalid_request", `${at2}.is.value`),
    changed("nod_1", query("plan", { operator: "equal" }), "invalid_request", `${at2}.is.value`),
    changed("nod_1", query("renewsAt", { operator: "after", value: "soon" }), "invalid_request", `${at2}.is.value`),
    changed("nod_1", query("renewsAt", between), "invalid_request", `${at2}.is.value`),
    changed(
      "nod_1",
      query("vip", { operator: "any", value: "" }, { operator: "equal", value: "x" }),
      "invalid_request",
      `${at2}.was.operator`,
    ),
  ]);
});

it("a filter is refused by the rules of segments, with the place of the fault", async () => {
  const filter = (condition: object) => ({ audienceFilter: { match: "all", conditions: [condition] } });
  const place = "payload.audienceFilter.conditions.0";
  const activity = { type: "activity", action: "sent", negate: false };
  await refused([
    changed(
      "nod_filter",
      filter({ type: "property", key: "none", operator: "empty" }),
      "unknown_property",
      `${place}.key`,
    ),
    changed(
      "nod_filter",
      filter({ type: "property", key: "seats", operator: "contains", value: "x" }),
      "invalid_filter",
      `${place}.operator`,
    ),
    changed(
      "nod_filter",
      filter({ ...activity, target: "workflow", id: "wfl_none" }),
      "workflow_not_found",
      `${place}.id`,
      404,
    ),
    changed(
      "nod_filter",
      filter({ ...activity, target: "workflowEmail", id: "msg_none" }),
      "email_message_not_found",
      `${place}.id`,
      404,
    ),
  ]);
  for (const [target, id] of [
    ["workflow", "wfl_1"],
    ["workflowEmail", "msg_workflow"],
    ["workflowEmail", "nod_email"],
  ]) {
    const { json } = await ask(team, "GET", W);
    const { status, text } = await ask(team, "POST", at("nod_filter"), {
      expectedRevisionId: json.workflowRevisionId,
      payload: filter({ ...activity, target, id }),
    });
    expect(status, text).toBe(200);
  }
});

it("nodes without fields of their own are 501, and the answer says how to change them", async () => {
  await refused(
    ["nod_email", "nod_branch", "nod_exit"].map((node) =>
      changed(node, { amount: 1 }, "node_update_not_implemented", "nodeId", 501),
    ),
  );
  const { json } = await ask(team, "POST", at("nod_email"), { ...current, payload: { amount: 1 } });
  expect(json.message).toContain("POST /v1/email-messages/msg_workflow");
});

it("metrics are refused for a node that sends nothing", async () => {
  const { status, json } = await ask(team, "GET", at("nod_timer", "/metrics"));
  expect([status, json.code, json.path]).toEqual([400, "invalid_target", "nodeId"]);
});
