import { expect, it } from "vitest";
import { advance, createTeam, isolated } from "../../bench.ts";

isolated();

// From an empty workflow to an edited running one, each answer byte for byte. Ids have names: nod_t is the trigger.

const exit = `"nod_x":{"typeName":"ExitAction","nextNodeIds":[]}`;
const trigger = (next: string) =>
  `"nod_t":{"typeName":"EventTrigger","nextNodeIds":["${next}"],"eventName":"trialStarted","reEligible":false}`;
const timer = (next: string, amount: number) =>
  `"nod_d":{"typeName":"TimerAction","nextNodeIds":["${next}"],"amount":${amount},"unit":"d"}`;
const branch = (...next: string[]) => `"nod_b":{"typeName":"BranchNode","nextNodeIds":${JSON.stringify(next)}}`;
const filter = (id: string, next: string) => `"${id}":{"typeName":"AudienceFilter","nextNodeIds":["${next}"]}`;
const email = (n: number, subject = "") =>
  `"nod_e${n}":{"typeName":"SendEmailAction","nextNodeIds":["nod_x"],"emailMessageId":"msg_e${n}","subject":"${subject}"}`;

const workflow = (revision: number, nodes: string[], status = "Draft") =>
  `{"id":"wfl_1","workflowRevisionId":"rev_${revision}","status":"${status}","name":"Trial nurture","description":"","mailingListId":null,"rootNodeId":"nod_t","nodes":{${nodes.join()}}}`;
const own = (node: string, ...more: string[]) =>
  `{${node.replace(/^("\w+"):\{/, '"id":$1,').slice(0, -1)}${more.map((field) => `,${field}`).join("")}}`;
const revision = (n: number) => `"workflowRevisionId":"rev_${n}"`;

it("the worked example gives these answers", async () => {
  const team = await createTeam();
  await team.post("/contacts/properties", { name: "plan", type: "string" });
  await team.post("/contacts/properties", { name: "seats", type: "number" });
  await team.post("/contacts/properties", { name: "invited", type: "boolean" });
  const event = { email: "ada@example.com", eventName: "trialStarted", eventProperties: { plan: "pro" } };
  await team.post("/events/send", event);

  const names = new Map<string, string>();
  const realOf = (text: string) => [...names].reduce((all, [name, id]) => all.replaceAll(`"${name}"`, `"${id}"`), text);
  const known = (text: string) =>
    [...names]
      .reduce((all, [name, id]) => all.replaceAll(id, name), text)
      .replaceAll(/"url":"https?:[^"]+\/v1\/workflows\/wfl_1",/g, "")
      .replaceAll(/"workflowGroupId":"grp_\w+",/g, "");
  let revisions = 0;
  const send = async (method: string, path: string, body: object, learn: Record<string, RegExp> = {}) => {
    advance(1_100);
    // Whole words: an id may begin with the name of another one.
    const at = path.replaceAll(/\w+/g, (word) => names.get(word) ?? word);
    const sent = method === "GET" ? {} : { body: realOf(JSON.stringify(body)) };
    const answer = await team.send(method, `/workflows${at}`, sent);
    for (const [name, place] of Object.entries(learn)) names.set(name, place.exec(answer.text)?.[1] ?? "none");
    const current = /"workflowRevisionId":"(rev_\w+)"/.exec(answer.text)?.[1];
    if (current !== undefined && ![...names.values()].includes(current)) names.set(`rev_${++revisions}`, current);
    return { status: answer.status, json: answer.json, text: known(answer.text) };
  };
  const expected = () => ({ expectedRevisionId: `rev_${revisions}` });
  const nodeId = /"node":\{"id":"(nod_\w+)"/;
  const messageId = /"emailMessageId":"(msg_\w+)","subject":"","workflowRevisionId"/;

  const created = await send(
    "POST",
    "",
    { name: "Trial nurture" },
    {
      wfl_1: /"id":"(wfl_\w+)"/,
      nod_t: /"rootNodeId":"(nod_\w+)"/,
      nod_x: /"nextNodeIds":\["(nod_\w+)"\]/,
    },
  );
  expect(created.status).toBe(200);
  expect(created.text).toBe(workflow(1, [`"nod_t":{"typeName":"BlankTrigger","nextNodeIds":["nod_x"]}`, exit]));

  const payload = { typeName: "EventTrigger", eventName: "trialStarted", reEligible: false };
  const started = await send("POST", "/wfl_1/nodes/nod_t", { ...expected(), payload });
  expect(started.text).toBe(
    `{"id":"nod_t","typeName":"EventTrigger","nextNodeIds":["nod_x"],"eventName":"trialStarted","eventProperties":[{"name":"plan","type":"string"}],"reEligible":false,${revision(2)},"workflow":${workflow(2, [trigger("nod_x"), exit])}}`,
  );

  const before = { insertMode: "before", nodeTypeName: "TimerAction", toNodeId: "nod_x" };
  const waits = await send("POST", "/wfl_1/nodes", { ...expected(), ...before }, { nod_d: nodeId });
  const nodes = [trigger("nod_d"), timer("nod_x", 1), exit];
  expect(waits.text).toBe(`{"node":${own(timer("nod_x", 1), revision(3))},"workflow":${workflow(3, nodes)}}`);

  const longer = await send("POST", "/wfl_1/nodes/nod_d", { ...expected(), payload: { amount: 3, unit: "d" } });
  const later = workflow(4, [trigger("nod_d"), timer("nod_x", 3), exit]);
  expect(longer.text).toBe(own(timer("nod_x", 3), revision(4), `"workflow":${later}`));

  const after = { insertMode: "after", nodeTypeName: "BranchNode", fromNodeId: "nod_d" };
  const forked = await send(
    "POST",
    "/wfl_1/nodes",
    { ...expected(), ...after },
    {
      nod_b: nodeId,
      nod_f1: /"typeName":"BranchNode","nextNodeIds":\["(nod_\w+)"/,
      nod_f2: /"typeName":"BranchNode","nextNodeIds":\["nod_\w+","(nod_\w+)"\]/,
    },
  );
  const none = `"audienceFilter":null,"appliesDownstream":false`;
  const [first, second] = [own(filter("nod_f1", "nod_x"), none), own(filter("nod_f2", "nod_x"), none)];
  const made = own(branch("nod_f1", "nod_f2"), revision(5), `"createdChildNodes":[${first},${second}]`);
  const head = [trigger("nod_d"), timer("nod_b", 3)];
  const two = [...head, branch("nod_f1", "nod_f2"), filter("nod_f1", "nod_x"), filter("nod_f2", "nod_x"), exit];
  expect(forked.text).toBe(`{"node":${made},"workflow":${workflow(5, two)}}`);

  const path = await send("POST", "/wfl_1/nodes/nod_b/add-branch", expected(), { nod_f3: nodeId });
  const fork = branch("nod_f1", "nod_f2", "nod_f3");
  const filters = [filter("nod_f1", "nod_x"), filter("nod_f2", "nod_x"), filter("nod_f3", "nod_x")];
  const three = [...head, fork, ...filters, exit];
  const third = own(filter("nod_f3", "nod_x"), none, revision(6));
  expect(path.text).toBe(`{"node":${third},"workflow":${workflow(6, three)}}`);

  const pro = `{"match":"all","conditions":[{"type":"property","key":"plan","operator":"equals","value":"pro"}]}`;
  const team5 = `{"match":"any","conditions":[{"type":"property","key":"seats","operator":"greaterThan","value":5},{"type":"property","key":"invited","operator":"isTrue"}]}`;
  for (const [n, one, downstream] of [
    [1, pro, false],
    [2, team5, true],
  ] as const) {
    const changes = { audienceFilter: JSON.parse(one), appliesDownstream: downstream };
    const filtered = await send("POST", `/wfl_1/nodes/nod_f${n}`, { ...expected(), payload: changes });
    const fields = [`"audienceFilter":${one}`, `"appliesDownstream":${downstream}`, revision(6 + n)];
    const answer = own(filter(`nod_f${n}`, "nod_x"), ...fields, `"workflow":${workflow(6 + n, three)}`);
    expect(filtered.text).toBe(answer);
  }

  const emails: string[] = [];
  for (const n of [1, 2, 3]) {
    const place = {
      insertMode: "between",
      nodeTypeName: "SendEmailAction",
      fromNodeId: `nod_f${n}`,
      toNodeId: "nod_x",
    };
    const mails = await send(
      "POST",
      "/wfl_1/nodes",
      { ...expected(), ...place },
      {
        [`nod_e${n}`]: nodeId,
        [`msg_e${n}`]: messageId,
      },
    );
    filters[n - 1] = filter(`nod_f${n}`, `nod_e${n}`);
    emails.push(email(n));
    const all = workflow(8 + n, [...head, fork, ...filters, ...emails, exit]);
    expect(mails.text).toBe(`{"node":${own(email(n), revision(8 + n))},"workflow":${all}}`);
  }

  for (const n of [1, 2, 3]) {
    const content = { subject: `Mail ${n}`, fromName: "Acme", fromEmail: "hello", lmx: "<Paragraph>Hello</Paragraph>" };
    advance(1_100);
    const id = names.get(`msg_e${n}`);
    const { contentRevisionId: expectedRevisionId, workflowId } = (await team.get(`/email-messages/${id}`)).json;
    expect(workflowId).toBe(names.get("wfl_1"));
    expect((await team.post(`/email-messages/${id}`, { expectedRevisionId, ...content })).status).toBe(200);
  }
  const filled = [email(1, "Mail 1"), email(2, "Mail 2"), email(3, "Mail 3")];
  const read = await send("GET", "/wfl_1", {});
  expect(read.text).toBe(workflow(11, [...head, fork, ...filters, ...filled, exit]));

  const act = (what: "start" | "pause") => team.admin("POST", `/workflows/${names.get("wfl_1")}/${what}`);
  expect((await act("start")).json).toMatchObject({ status: "Sending", problems: [] });
  const refused = await send("DELETE", "/wfl_1/nodes/nod_d", expected());
  expect([refused.status, refused.json.code]).toEqual([400, "workflow_sending"]);
  const old = expected();
  expect((await act("pause")).json.status).toBe("PausedAndQueueing");
  const contacts = JSON.stringify(Array.from({ length: 40 }, (_, i) => i + 1));
  await team.run(
    `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT c.value, n, 1, (SELECT one.value->>'k' FROM json_each(graph, '$.nodes') AS one WHERE one.key = ?), 0, 1, 0, '[]'
     FROM workflows, json_each(?) AS c`,
    names.get("nod_d") ?? "",
    contacts,
  );
  const found = await send("DELETE", "/wfl_1/nodes/nod_d", old);
  expect(found.status).toBe(200);
  expect(found.text).toBe(`{"status":"queuedContactsFound","nodeIds":["nod_d"],"queuedContactCount":40}`);
  const gone = await send("DELETE", "/wfl_1/nodes/nod_d", { ...old, queuedContactPolicy: "discard" });
  const rest = workflow(12, [trigger("nod_b"), fork, ...filters, ...filled, exit], "PausedAndQueueing");
  expect(gone.text).toBe(
    `{"status":"deleted","nodeIds":["nod_d"],${revision(12)},"queuedContactCount":40,"workflow":${rest}}`,
  );
  const stale = await send("DELETE", "/wfl_1/nodes/nod_d", old);
  expect([stale.status, stale.json.code]).toEqual([409, "stale_revision"]);
});
