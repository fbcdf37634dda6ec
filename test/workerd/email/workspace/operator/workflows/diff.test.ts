import { beforeEach, describe, expect, it } from "vitest";
import {
  endOfSlice,
  START,
  waitingRuns,
} from "../../../../../../src/email/workspace/operator/workflows/waiting-contacts.ts";
import { advance, createTeam, isolated } from "../../../bench.ts";
import { counted } from "../../counted.ts";
import { addGraph, DAY, graphNamed, work } from "./bench.ts";
import { createWorld, filter, mail, onEvent, type World } from "./scenario.ts";

isolated();

let world: World;
let workflow: string;
const PEOPLE = ["ada", "bob", "cyd"];

type Difference = {
  from: { revision: string; ran: boolean };
  to: { revision: string; ran: boolean };
  changes: { nodeId: string | null; text: string }[];
  impact: { nodeId: string | null; code: string; text: string; contacts: number }[];
  waiting: number;
  text: string;
};

const graph = () =>
  graphNamed(
    "flow",
    onEvent("joined", "f"),
    filter("f", "d", "pro"),
    ["d", "TimerAction", ["e1"], { amount: 5, unit: "d" }],
    mail("e1", "w"),
    ["w", "TimerAction", ["e2"], { amount: 10, unit: "d" }],
    mail("e2", "x"),
  );

const ask = (query = "") => world.team.admin("GET", `/workflows/${workflow}/diff${query}`);
const diff = async (query = ""): Promise<Difference> => {
  const { status, json, text } = await ask(query);
  expect(status, text).toBe(200);
  return json;
};
const counts = ({ impact }: Difference) => impact.map(({ nodeId, code, contacts }) => [nodeId, code, contacts]);
const runs = () =>
  world.team.rows(
    "SELECT c.user_id AS contact, node, wake, ended, path FROM runs JOIN contacts c ON c.n = runs.contact ORDER BY c.n",
  );
const afterResume = async () => {
  await world.control(workflow, "start");
  await work(world.team);
  const { nodes } = await world.graphOf(workflow);
  const idOf = (k: number) => Object.keys(nodes).find((id) => nodes[id]?.k === k);
  return (await runs()).map(({ node, ended }) => ended ?? idOf(Number(node)));
};

beforeEach(async () => {
  world = await createWorld();
  workflow = await addGraph(world.team, graph());
  await world.control(workflow, "start");
  for (const name of PEOPLE) {
    await world.person(name, { plan: "pro" });
    await world.team.post("/events/send", { email: `${name}@example.com`, eventName: "joined" });
    await work(world.team);
    advance(DAY);
  }
  await world.control(workflow, "pause");
});

const edit = (method: string, path: string, body: object) => world.edit(workflow, method, path, body);

describe("the impact of an edit is what the resume does", () => {
  it("of nothing", async () => {
    const { from, to, changes, impact, waiting, text } = await diff();
    expect([changes, impact, waiting]).toEqual([[], [], 3]);
    expect(from).toEqual(to);
    expect(text).toBe("No contact waits on what changes.");
  });

  it("of a timer that is shorter", async () => {
    await edit("POST", "/nodes/flow_d", { payload: { amount: 3 } });
    const before = await runs();
    const told = await diff();
    expect(told.from.ran && !told.to.ran).toBe(true);
    expect(told.changes).toEqual([{ nodeId: "flow_d", text: "The timer takes 3 days now, before 5 days." }]);
    expect(told.text).toBe("3 contacts wait on what changes: 1 goes on at once, 2 go on earlier.");
    expect(counts(told)).toEqual([
      ["flow_d", "at_once", 1],
      ["flow_d", "earlier", 2],
    ]);
    expect(await runs()).toEqual(before);
    expect(await afterResume()).toEqual(["flow_w", "flow_d", "flow_d"]);
  });

  it("of contacts who have unsubscribed or are not confirmed", async () => {
    await world.team.put("/contacts/update", { email: "bob@example.com", subscribed: false });
    await world.team.rows(
      "UPDATE contacts SET data = jsonb_set(data, '$.optInStatus', 'pending') WHERE email = 'cyd@example.com'",
    );
    await edit("POST", "/nodes/flow_d", { payload: { amount: 3 } });
    const told = await diff();
    expect(told.text).toBe(
      "3 contacts wait on what changes: 1 leaves, because it is unsubscribed, 1 leaves, because its subscription is not confirmed, 1 goes on at once.",
    );
    await afterResume();
    advance(3 * DAY);
    await work(world.team);
    expect((await runs()).map(({ ended }) => ended)).toEqual([null, "unsubscribed", "not_confirmed"]);
  });

  it("of a timer that is longer, in a pause that lasts", async () => {
    await edit("POST", "/nodes/flow_d", { payload: { amount: 7 } });
    expect(counts(await diff())).toEqual([["flow_d", "later", 3]]);
    advance(4 * DAY);
    expect((await diff()).text).toBe("3 contacts wait on what changes: 1 goes on at once, 2 go on later.");
    expect(await afterResume()).toEqual(["flow_w", "flow_d", "flow_d"]);
  });

  it("of a timer that is as long in another unit: none", async () => {
    await edit("POST", "/nodes/flow_d", { payload: { amount: 120, unit: "h" } });
    const { changes, impact } = await diff();
    expect(changes.map(({ text }) => text)).toEqual(["The timer takes 120 hours now, before 5 days."]);
    expect(impact).toEqual([]);
  });

  it("of a way that is changed behind the node where they wait", async () => {
    await edit("POST", "/nodes", {
      insertMode: "after",
      nodeTypeName: "TimerAction",
      fromNodeId: "flow_d",
    });
    await edit("POST", "/nodes/flow_t", { payload: { reEligible: true } });
    advance(2 * DAY);
    const told = await diff();
    expect(told.text).toBe("3 contacts wait on what changes: 1 goes on at once, 2 keep their time.");
    expect(counts(told)).toEqual([
      ["flow_d", "at_once", 1],
      ["flow_d", "same_time", 2],
      ["flow_d", "other_way", 3],
    ]);
    const added = told.changes.find(({ text }) => text.includes("is added"))?.nodeId;
    expect(await afterResume()).toEqual([added, "flow_d", "flow_d"]);
  });

  it("of a change that lies before them: none", async () => {
    await edit("POST", "/nodes/flow_f", { payload: { audienceFilter: null } });
    const { changes, impact, text } = await diff();
    expect(changes.map(({ nodeId }) => nodeId)).toEqual(["flow_f"]);
    expect([impact, text]).toEqual([[], "No contact waits on what changes."]);
  });

  it("of a filter that they passed and that is checked again", async () => {
    await edit("POST", "/nodes/flow_f", { payload: { appliesDownstream: true } });
    expect(counts(await diff())).toEqual([
      ["flow_d", "same_time", 3],
      ["flow_d", "other_filter", 3],
    ]);
    for (const name of PEOPLE) await world.change(name, { plan: "free" });
    advance(5 * DAY);
    expect(await afterResume()).toEqual(["filter_stopped", "filter_stopped", "filter_stopped"]);
  });

  it("of a node that is deleted, and of the way back", async () => {
    const { to: ran } = await diff();
    await edit("DELETE", "/nodes/flow_d", { queuedContactPolicy: "discard" });
    const told = await diff();
    expect(told.waiting).toBe(0);
    expect(told.text).toBe("No contact waits on what changes. 3 left when the node was removed.");
    expect(counts(told)).toEqual([["flow_d", "ended_node_deleted", 3]]);
    expect(counts(await diff(`?from=${told.to.revision}&to=${ran.revision}`))).toEqual([]);
    expect(await afterResume()).toEqual(["node_deleted", "node_deleted", "node_deleted"]);
  });

  it("of another list", async () => {
    const other = (await world.team.admin("POST", "/lists", { name: "Offers" })).json.id;
    await world.change("ada", { mailingLists: { [other]: true } });
    const mailingListId = other;
    await edit("POST", "/mailing-list", { mailingListId, queuedContactPolicy: "discard" });
    const told = await diff();
    expect(told.changes).toEqual([
      { nodeId: null, text: 'The mailing list of the workflow is "Offers" now, before none.' },
    ]);
    expect(counts(told)).toEqual([["flow_d", "ended_list_changed", 2]]);
    await world.change("ada", { mailingLists: { [other]: false } });
    advance(5 * DAY);
    expect(counts(await diff())).toEqual([
      ["flow_d", "ended_list_changed", 2],
      ["flow_d", "left_list", 1],
    ]);
    expect(await afterResume()).toEqual(["left_list", "list_changed", "list_changed"]);
  });

  it("of contacts who are queued at the start", async () => {
    await world.person("dan", { plan: "pro" });
    await world.team.post("/events/send", { email: "dan@example.com", eventName: "joined" });
    await edit("POST", "/nodes/flow_f", { payload: { audienceFilter: null } });
    expect(counts(await diff())).toEqual([
      ["flow_t", "at_once", 1],
      ["flow_t", "other_way", 1],
    ]);
  });
});

describe("two versions", () => {
  it("are those that ran last and the current one, or those that are named", async () => {
    const first = (await diff()).to.revision;
    await edit("POST", "/nodes/flow_d", { payload: { amount: 3 } });
    const second = (await diff()).to.revision;
    await edit("POST", "/nodes/flow_d", { payload: { amount: 9 } });
    const named = await diff(`?from=${second}`);
    expect(named.changes.map(({ text }) => text)).toEqual(["The timer takes 9 days now, before 3 days."]);
    const back = await diff(`?from=${second}&to=${first}`);
    expect(back.changes.map(({ text }) => text)).toEqual(["The timer takes 5 days now, before 3 days."]);
    expect((await diff()).from.revision).toBe(first);
  });

  it("tell what would become of contacts, also for a version of before", async () => {
    const first = (await diff()).to.revision;
    const made = { insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: "flow_e1" };
    await edit("POST", "/nodes", made);
    advance(4 * DAY);
    await afterResume();
    await world.control(workflow, "pause");
    const second = (await diff()).to.revision;
    const told = await diff(`?from=${second}&to=${first}`);
    expect(told.impact.map(({ code, contacts }) => [code, contacts])).toEqual([["node_deleted", 3]]);
  });

  it.each(["from", "to"])("have to be kept: %s", async (field) => {
    const { to } = await diff();
    const { status, json } = await ask(`?${field}=rev_gone`);
    expect([status, json.code, json.path]).toEqual([400, "unknown_revision", field]);
    expect(json.message).toContain(`no version "rev_gone", or it is no longer kept. Versions: ${to.revision} (`);
    expect(json.message).toContain("ran, current)");
  });

  it("of a draft have to be named", async () => {
    const draft = await addGraph(world.team, graphNamed("draft", onEvent("other", "x")));
    const { status, json } = await world.team.admin("GET", `/workflows/${draft}/diff`);
    expect([status, json.code, json.path]).toEqual([400, "workflow_not_started", "from"]);
    const { json: kept } = await world.team.send("GET", `/workflows/${draft}`);
    const query = `?from=${kept.workflowRevisionId}`;
    expect((await world.team.admin("GET", `/workflows/${draft}/diff${query}`)).json.changes).toEqual([]);
  });

  it("are of a workflow of this team", async () => {
    const { json } = await world.team.admin("GET", "/workflows/wfl_none/diff");
    expect(json.code).toBe("workflow_not_found");
    const other = await createTeam({ id: "other" });
    const { status, json: refused } = await other.admin("GET", `/workflows/${workflow}/diff`);
    expect([status, refused.code]).toEqual([404, "workflow_not_found"]);
  });

  it("are kept as long as the workflow when their edit ended runs", async () => {
    await edit("DELETE", "/nodes/flow_d", { queuedContactPolicy: "discard" });
    for (let count = 0; count < 60; count += 1) {
      advance(1_000);
      await edit("POST", "/nodes/flow_w", { payload: { amount: count + 20 } });
    }
    expect(counts(await diff())).toEqual([["flow_d", "ended_node_deleted", 3]]);
  });
});

describe("the contacts that wait", () => {
  const addRuns = async (id: string, many: number) => {
    const { nodes } = await world.graphOf(workflow);
    await world.team.run(
      `WITH RECURSIVE all_n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_n WHERE n < ?4)
       INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
       SELECT (SELECT min(n) FROM contacts), (SELECT n FROM workflows WHERE id = ?1), (SELECT max(seq) FROM runs) + n, ?2, ?3, ?3 + 432000000, ?3, '[]' FROM all_n`,
      workflow,
      nodes[id]?.k ?? 0,
      Date.now(),
      many,
    );
  };
  const addStep = () =>
    edit("POST", "/nodes", { insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: "flow_d" });

  it("are counted in slices, each once; a request looks at 5 000 of them", async () => {
    await addRuns("flow_d", 12_000);
    await addStep();
    const parts: (Difference & { looked: number; next: string | null })[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json } = await ask(cursor === "" ? "" : `?cursor=${cursor}`);
      parts.push(json);
      cursor = json.next;
    }
    expect(parts.map(({ waiting, looked }) => [waiting, looked])).toEqual([
      [12_003, 5_000],
      [12_003, 10_000],
      [12_003, 12_003],
    ]);
    expect(parts.map(counts)).toEqual(
      [5_000, 10_000, 12_003].map((many) => [
        ["flow_d", "same_time", many],
        ["flow_d", "other_way", many],
      ]),
    );
    expect(parts.at(-1)?.text).toBe("12003 contacts wait on what changes: 12003 keep their time.");
  });

  it("of a request are as many rows, however many wait, also where most are at other nodes", async () => {
    await addStep();
    const readOf = async (many: number) => {
      await addRuns("flow_w", many);
      return world.team.inside((sql) => {
        const { sql: measured, take } = counted(sql);
        const { n } = sql.exec<{ n: number }>("SELECT n FROM workflows WHERE id = ?", workflow).one();
        const end = endOfSlice(measured, n, START, 5_000);
        const wanted = { nodes: [999], list: null, readsPaths: false };
        expect(waitingRuns(measured, n, wanted, [START, end])).toEqual([]);
        return take().read;
      });
    };
    const few = await readOf(6_000);
    expect(few).toBeGreaterThan(5_000);
    expect(await readOf(20_000)).toBeLessThan(few + 100);
  });

  it("of other versions are not counted on with a cursor, and a text that is none is refused", async () => {
    await addRuns("flow_d", 6_000);
    const { to: first } = await diff();
    await addStep();
    const { to: second } = await diff();
    const { next: cursor } = (await ask()).json;
    expect((await ask(`?cursor=${cursor}&from=${first.revision}`)).status).toBe(200);
    const refused = [
      `${cursor}&from=${second.revision}`,
      "x",
      btoa("[1]"),
      btoa(JSON.stringify(["a", "b", 1, 1, 1, []])),
    ];
    for (const query of refused) {
      const { status, json } = await ask(`?cursor=${query}`);
      expect([status, json.code, json.path]).toEqual([400, "invalid_request", "cursor"]);
    }
    await edit("POST", "/nodes/flow_d", { payload: { amount: 3 } });
    const { json } = await ask(`?cursor=${cursor}`);
    expect([json.from.revision, json.to.revision, json.next]).toEqual([first.revision, second.revision, null]);
    expect(json.impact.map(({ contacts }: { contacts: number }) => contacts)).toEqual([6_003, 6_003]);
  });
});
