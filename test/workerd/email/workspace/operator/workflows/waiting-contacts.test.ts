import { beforeEach, expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../../bench.ts";
import { addReady, edit, pay, type Ready } from "../../workflows/runs/bench.ts";
import { DAY } from "./bench.ts";

isolated();

let team: Team;
let workflow: Ready;
beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
});

const act = async (what: string) => {
  advance(1_000);
  expect((await team.admin("POST", `/workflows/${workflow.id}/${what}`)).status).toBe(200);
};
const here = async (nodeId: string, query = "") => {
  const { status, json, text } = await team.admin("GET", `/workflows/${workflow.id}/nodes/${nodeId}/contacts${query}`);
  expect(status, text).toBe(200);
  return json;
};
type One = { contact: { email: string } };
const emails = (data: One[]) => data.map(({ contact }) => contact.email);

const addWaiting = (prefix: string, many: number, k: number, wake: number) =>
  team
    .run(
      `WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ?2)
     INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
     SELECT 'con_' || ?1 || i, ?1 || i || '@example.com', ?1 || i || '@example.com', jsonb('{"subscribed":true,"optInStatus":null,"mailingLists":{}}'), 0, 0 FROM i`,
      prefix,
      many,
    )
    .then(() =>
      team.run(
        `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
       SELECT c.n, w.n, 1, ?2, 1767225600000, 1000 * (?3 + row_number() OVER (ORDER BY c.n)), 0, '[[2,0]]' FROM contacts c, workflows w
       WHERE c.id LIKE 'con_' || ?1 || '%'`,
        prefix,
        k,
        wake,
      ),
    );

it("lists who waits at a node, with since, until and why, the first that goes on first", async () => {
  await act("start");
  await pay(team, "ada@example.com", { userId: "u1" });
  await runAlarm(team.stub);
  advance(3_600_000);
  await pay(team, "bo@example.com");
  await runAlarm(team.stub);
  await team.put("/contacts/update", { email: "bo@example.com", subscribed: false });
  const { data, next, searchedTo } = await here(workflow.timer);
  expect({ next, searchedTo }).toEqual({ next: null, searchedTo: null });
  expect(data).toMatchObject([
    { contact: { id: expect.stringMatching(/^con_/), email: "ada@example.com", userId: "u1" }, run: 1 },
    { contact: { email: "bo@example.com", userId: null }, run: 1 },
  ]);
  const [ada, bo] = data;
  expect(Date.parse(ada.until) - Date.parse(ada.since)).toBeGreaterThanOrEqual(DAY);
  expect(ada.why).toMatch(
    /^The contact waits at the timer of 1 day\. Its next step is due at 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\.$/,
  );
  expect(bo.why).toMatch(/ UTC\. It leaves the workflow then, because it is unsubscribed\.$/);
  expect((await here(workflow.email)).data).toEqual([]);
  await act("stop");
  expect((await here(workflow.timer)).data[0].why).toMatch(/Now the workflow is paused\.$/);
});

it("lists queued contacts at the start", async () => {
  await act("start");
  await act("pause");
  await pay(team, "ada@example.com");
  await runAlarm(team.stub);
  const { data } = await here(workflow.root);
  expect(data).toMatchObject([{ why: "The contact has entered. Its first step is due, but the workflow is paused." }]);
});

it("leaves out those that an edit is taking out", async () => {
  await act("start");
  await act("stop");
  await addWaiting("w", 1_500, 4, 2_000_000_000);
  expect((await here(workflow.timer)).data).toHaveLength(20);
  const { id: list } = (await team.admin("POST", "/lists", { name: "News" })).json;
  await edit(team, workflow.id, "/mailing-list", { mailingListId: list, queuedContactPolicy: "discard" });
  expect(await team.rows("SELECT count(*) AS waiting FROM runs WHERE wake IS NOT NULL")).toEqual([{ waiting: 500 }]);
  expect(await here(workflow.timer)).toEqual({ data: [], next: null, searchedTo: null });
});

it("pages through a node, each contact once, while 50 000 others wait elsewhere", async () => {
  await act("start");
  await act("stop");
  await addWaiting("a", 25_000, 3, 2_000_000_000);
  await addWaiting("t", 60, 4, 2_000_100_000);
  await addWaiting("b", 25_000, 3, 2_000_200_000);
  const found: string[] = [];
  let [requests, empty, slowest] = [0, 0, 0];
  for (let cursor: string | null = ""; cursor !== null; requests += 1) {
    const started = performance.now();
    const { data, next, searchedTo }: { data: One[]; next: string | null; searchedTo: string | null } = await here(
      workflow.timer,
      `?perPage=50${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    slowest = Math.max(slowest, performance.now() - started);
    expect(searchedTo === null).toBe(next === null);
    if (data.length === 0) empty += 1;
    found.push(...emails(data));
    cursor = next;
  }
  expect(found).toEqual(Array.from({ length: 60 }, (_, i) => `t${i + 1}@example.com`));
  expect(new Set(found).size).toBe(60);
  expect(empty).toBeGreaterThan(0);
  expect(requests).toBeLessThan(8);
});

it("refuses an unknown node, workflow and cursor", async () => {
  const ask = (path: string) => team.admin("GET", `/workflows/${path}`);
  expect((await ask(`${workflow.id}/nodes/nod_none/contacts`)).json).toMatchObject({ code: "node_not_found" });
  expect((await ask(`wfl_none/nodes/${workflow.timer}/contacts`)).json).toMatchObject({ code: "workflow_not_found" });
  for (const cursor of ["x", btoa("[1,2,3]"), btoa('["a",1,1,1]')]) {
    const { status, json } = await ask(`${workflow.id}/nodes/${workflow.timer}/contacts?cursor=${cursor}`);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "cursor"]);
  }
  const other = await createTeam({ id: "other" });
  const { status } = await other.admin("GET", `/workflows/${workflow.id}/nodes/${workflow.timer}/contacts`);
  expect(status).toBe(404);
});

it("lists the versions, newest first, with the one of now and those that ran", async () => {
  await act("start");
  await act("stop");
  await edit(team, workflow.id, `/nodes/${workflow.timer}`, { payload: { amount: 3 } });
  const { data } = (await team.admin("GET", `/workflows/${workflow.id}/versions`)).json;
  expect(data.slice(0, 3)).toMatchObject([
    { isCurrent: true, ran: false },
    { isCurrent: false, ran: true },
    { isCurrent: false, ran: false },
  ]);
  const [newest, ran] = data;
  const { json } = await team.admin("GET", `/workflows/${workflow.id}/diff?from=${ran.revision}&to=${newest.revision}`);
  expect(json.changes).toHaveLength(1);
});
