import { beforeEach, describe, expect, it } from "vitest";
import { adminContract } from "../../../../src/lib/contract/admin/email.ts";
import {
  type Operation,
  type OperationName,
  operationsOf,
  pathParameters,
} from "../../../../src/lib/contract/operation.ts";
import { type V1, v1 } from "../../../../src/lib/contract/v1.ts";
import { admin, advance, arranged, bindings, createTeam, request, type Team } from "../bench.ts";
import { arrangeDomain, arrangeSend, arrangeWorkflow, fieldsOf, toHttp } from "../examples.ts";

type Known = {
  email: string;
  userId: string;
  contactId: string;
  listId: string;
  property: string;
  eventName: string;
  patternId: string;
  templateId: string;
  messageId: string;
  campaignGroup: string;
  transactionalGroup: string;
  workflowGroup: string;
  workflowId: string;
  nodeId: string;
  workflowMessageId: string;
  campaignId: string;
  campaignMessageId: string;
  themeId: string;
  componentId: string;
  idempotencyKey: string;
  keyId: string;
  uploadId: string;
  sendId: string;
  domainId: string;
  webhookId: string;
  segmentId: string;
  importId: string;
};

const absent: Known = {
  email: "nobody@example.com",
  userId: "u-unknown",
  contactId: "con_00000000000000000000",
  listId: "lst_00000000000000000000",
  property: "unknownPlan",
  eventName: "unknownEvent",
  patternId: "evp_00000000000000000000",
  templateId: "tpl_unknown",
  messageId: "msg_00000000000000000000",
  campaignGroup: "grp_00000000000000000000",
  transactionalGroup: "grp_00000000000000000001",
  workflowGroup: "grp_00000000000000000002",
  workflowId: "wfl_00000000000000000000",
  nodeId: "nod_00000000000000000000",
  workflowMessageId: "msg_00000000000000000001",
  campaignId: "cmp_00000000000000000001",
  campaignMessageId: "msg_00000000000000000002",
  themeId: "thm_00000000000000000000",
  componentId: "cmp_00000000000000000000",
  idempotencyKey: "key-of-nobody",
  keyId: "key_00000000000000000000",
  uploadId: "upl_00000000000000000000",
  sendId: "snd_unknown",
  domainId: "dom_00000000000000000000",
  webhookId: "whk_00000000000000000000",
  segmentId: "seg_00000000000000000000",
  importId: "imp_00000000000000000000",
};

type Input = Readonly<Record<string, unknown>>;

const valuesOf = (their: Known): Readonly<Record<string, readonly string[]>> => ({
  email: [their.email],
  to: [their.email],
  userId: [their.userId, their.contactId],
  eventName: [their.eventName, their.patternId],
  transactionalId: [their.templateId, their.messageId],
  workflowId: [their.workflowId],
  nodeId: [their.nodeId],
  importId: [their.importId],
  contact: [their.email, their.userId, their.contactId],
  campaignId: [their.campaignId],
});
const idsOf = (known: Known) => [
  known.contactId,
  known.listId,
  known.patternId,
  known.templateId,
  known.messageId,
  known.keyId,
  known.campaignGroup,
  known.transactionalGroup,
  known.themeId,
  known.componentId,
  known.uploadId,
  known.sendId,
  known.domainId,
  known.webhookId,
  known.segmentId,
  known.workflowGroup,
  known.workflowId,
  known.nodeId,
  known.workflowMessageId,
  known.campaignId,
  known.campaignMessageId,
];

const inputsOf = (operation: Operation, their: Known): Input[] => {
  const values = valuesOf(their);
  const fields = fieldsOf(operation).flatMap((name) => {
    const own = values[name] ?? (/Id$/.test(name) ? idsOf(their) : []);
    return own.map((value) => ({ name, value }));
  });
  // Many operations accept only one of the two identifiers of a contact.
  const rest = (name: string): Input => {
    const { email: _email, userId: _userId, ...others } = operation.example;
    return name === "email" || name === "userId" ? others : operation.example;
  };
  const one = fields.map(({ name, value }) => ({ ...rest(name), [name]: value }));
  const all = {
    ...operation.example,
    ...Object.fromEntries(fields.toReversed().map(({ name, value }) => [name, value])),
  };
  return [all, ...one];
};

const openedOf = (id: string) => ({
  match: "all",
  conditions: [{ type: "activity", action: "opened", negate: false, target: "campaign", id }],
});

const more: { readonly [Name in OperationName<V1>]?: (their: Known) => [input: Input, status: number][] } = {
  "contacts.create": ({ property, listId }) => [
    [{ email: "new@example.com", [property]: "x" }, 400],
    [{ email: "new@example.com", mailingLists: { [listId]: true } }, 400],
  ],
  "contacts.update": ({ email, property, listId }) => [
    [{ email, properties: { [property]: null } }, 400],
    [{ email, mailingLists: { [listId]: false } }, 400],
  ],
  "contactProperties.create": ({ property }) => [[{ name: property, type: "number" }, 200]],
  "events.send": ({ userId, eventName, property, listId }) => [
    [{ userId, eventName, contactProperties: { [property]: "x" } }, 400],
    [{ userId, eventName, mailingLists: { [listId]: true } }, 400],
  ],
  "workflows.create": ({ listId, workflowGroup }) => [
    [{ name: "New" }, 200],
    [{ name: "New", mailingListId: listId }, 400],
    [{ name: "New", workflowGroupId: workflowGroup }, 400],
  ],
  "campaigns.create": ({ listId, segmentId, campaignGroup, campaignId }) => [
    [{ name: "New" }, 201],
    [{ name: "New", mailingListId: listId }, 404],
    [{ name: "New", audienceSegmentId: segmentId }, 404],
    [{ name: "New", campaignGroupId: campaignGroup }, 400],
    [{ name: "New", audienceFilter: openedOf(campaignId) }, 404],
  ],
  "transactional.send": ({ email }) => [
    [{ transactionalId: "tpl_welcome", email, addToAudience: true, dataVariables: { name: "B" } }, 200],
  ],
};

const BRAVO = { team: "bravo" };

/** In all data of the other team, and in no request. An answer that contains it has leaked data. */
const MARK = "alfasOwn";

const both = arranged(async () => {
  const alfa = await createTeam({ id: "alfa", name: MARK });
  const bravo = await createTeam({ id: "bravo", name: "Bravo", samples: true });
  const email = "ada@alfa.example";
  const idempotencyKey = "key-of-alfa";
  const key = { "Idempotency-Key": idempotencyKey };
  const { id: listId } = (await alfa.admin("POST", "/lists", { name: MARK, description: MARK })).json;
  const property = "alfasPlan";
  await alfa.post("/contacts/properties", { name: property, type: "string" }, key);
  const contact = { email, userId: "u-alfa", firstName: MARK, [property]: MARK, mailingLists: { [listId]: true } };
  const { id: contactId } = (await alfa.post("/contacts/create", contact, key)).json;
  const event = { userId: "u-alfa", eventName: "alfasEvent", eventProperties: { [MARK]: MARK } };
  expect((await alfa.post("/events/send", event, key)).status).toBe(200);
  await alfa.admin("POST", "/suppressions", { email });
  const template = { id: "tpl_alfas", name: MARK, subject: MARK, previewText: MARK, fromName: MARK };
  await alfa.inside((sql) => {
    sql.exec(
      "INSERT INTO message_revisions (n, message, source, compiled, created_at) VALUES (1, 1, ?, ?, 0)",
      JSON.stringify(template),
      '{"variables":[]}',
    );
    sql.exec(
      "INSERT INTO email_messages (n, id, template, revision, created_at, updated_at) VALUES (1, 'msg_alfas', 1, 1, 0, 0)",
    );
    sql.exec(
      `INSERT INTO templates (n, id, name, published, created_at, updated_at, published_message)
       VALUES (1, 'tpl_alfas', ?, 1, 0, 0, 1)`,
      MARK,
    );
  });
  const groups = await Promise.all(
    ["/campaign-groups", "/transactional-groups", "/workflow-groups"].map((path) =>
      alfa.post(path, { name: MARK }, key),
    ),
  );
  const [campaignGroup = "", transactionalGroup = "", workflowGroup = ""] = groups.map(({ json }): string => json.id);
  const { id: themeId } = (await alfa.post("/themes", { name: MARK }, key)).json;
  const part = { name: MARK, lmx: `<Paragraph>${MARK}</Paragraph>` };
  const { id: componentId } = (await alfa.post("/components", part, key)).json;
  const file = { contentType: "image/png", contentLength: 100 };
  const { emailAssetId: uploadId } = (await alfa.post("/uploads", file, key)).json;
  await alfa.run("UPDATE uploads SET arrived_at = 1");
  await arrangeSend(alfa, "snd_99_alfas", "unknown", email);
  await arrangeDomain(alfa, "dom_alfas", "alfas.example.com");
  await arrangeWorkflow(alfa, "_alfas");
  await alfa.run("UPDATE workflows SET name = ?", MARK);
  const address = { url: "https://alfa.example.com/", description: MARK, events: ["email.opened"] };
  const { id: webhookId } = (await alfa.admin("POST", "/webhooks", address)).json;
  const filter = { match: "all", conditions: [{ type: "property", key: property, operator: "equals", value: MARK }] };
  await alfa.run(
    `INSERT INTO imports (n, id, name, state, form, columns, preview, created_at)
     VALUES (1, 'imp_alfa', ?, 'ready', '{}', '["${MARK}"]', '[]', 1)`,
    `${MARK}.csv`,
  );
  const { id: segmentId } = (await alfa.post("/audience-segments", { name: MARK, filter }, key)).json;
  const fields = { name: MARK, mailingListId: listId, audienceSegmentId: segmentId, campaignGroupId: campaignGroup };
  advance(1_000);
  const { json: campaign } = await alfa.post("/campaigns", fields, key);
  const [pattern] = (await alfa.get("/event-patterns")).json.data;
  const [{ id: keyId }] = (await alfa.admin("GET", "/keys")).json.data;
  const theirs: Known = {
    email,
    userId: "u-alfa",
    contactId,
    listId,
    property,
    eventName: "alfasEvent",
    patternId: pattern.id,
    templateId: "tpl_alfas",
    messageId: "msg_alfas",
    idempotencyKey,
    keyId,
    campaignGroup,
    transactionalGroup,
    workflowGroup,
    workflowId: "wfl_1_alfas",
    nodeId: "nod_email_alfas",
    workflowMessageId: "msg_workflow_alfas",
    campaignId: campaign.id,
    campaignMessageId: campaign.emailMessageId,
    themeId,
    componentId,
    uploadId,
    webhookId,
    segmentId,
    importId: "imp_alfa",
    sendId: "snd_99_alfas",
    domainId: "dom_alfas",
  };
  return { alfa, bravo, theirs };
});

let alfa: Team;
let bravo: Team;
let theirs: Known;
beforeEach(() => {
  ({ alfa, bravo, theirs } = both());
});

const send = (prefix: string, bearer: string, operation: Operation, input: Input, key: string) => {
  const { method, path, body } = toHttp(prefix, operation, input);
  // Within the window of content operations: 60 requests in 60 s.
  advance(1_000);
  return request(method, path, {
    body,
    headers: { Authorization: `Bearer ${bearer}`, ...(operation.idempotent ? { "Idempotency-Key": key } : {}) },
  });
};

const withoutNames = (text: string, names: Known) =>
  Object.entries(names)
    .reduce((rest, [what, name]) => rest.replaceAll(name, `<${what}>`), text)
    .replace(/\b(con|evt|snd|lst|key|tpl|msg|grp|rev|thm|cmp|upl|pic|dom|whk|seg|wfl|nod|imp)_[0-9a-z_]+/g, "$1_")
    .replace(/ms_bravo_\w+/g, "ms_bravo_")
    .replace(/whsec_[\w+/]+/g, "whsec_")
    .replace(/expires=\d+&signature=[\w-]+/g, "<signature>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");

const allOfAlfa = async () => [await alfa.everything(), await alfa.rows("SELECT * FROM rate")];

const walk = async (prefix: string, bearer: string, name: string, operation: Operation, leak = MARK) => {
  const before = await allOfAlfa();
  const asBravo = prefix === "/admin" && pathParameters(operation.path).includes("team") ? BRAVO : {};
  const listOf = (their: Known): [Input, number?][] => [
    ...inputsOf(operation, their).map((input): [Input] => [{ ...input, ...asBravo }]),
    ...(prefix === "/v1" ? (more[name as OperationName<V1>]?.(their) ?? []) : []),
  ];
  const controls = listOf(absent);
  const statuses: number[] = [];
  const absentAnswers = new Map<string, string>();
  for (const [i, [input, status]] of listOf(theirs).entries()) {
    const what = `${name} ${JSON.stringify(input)}`;
    const answer = await send(prefix, bearer, operation, input, `${theirs.idempotencyKey}${i || ""}`);
    statuses.push(answer.status);
    if (status !== undefined) expect(answer.status, `${what}: ${answer.text}`).toBe(status);
    expect(answer.text, what).not.toContain(leak);
    const control = controls[i]?.[0] ?? {};
    if (JSON.stringify(control) === JSON.stringify(input)) continue;
    const seen = `${answer.status} ${withoutNames(answer.text, theirs)}`;
    const changed = Object.keys(input)
      .filter((field) => input[field] !== control[field])
      .join();
    if (absentAnswers.get(changed) === seen) continue;
    const same = await send(prefix, bearer, operation, control, `${absent.idempotencyKey}${i || ""}`);
    // An answer about another team's data equals one about missing data.
    absentAnswers.set(changed, `${same.status} ${withoutNames(same.text, absent)}`);
    expect(seen, what).toBe(absentAnswers.get(changed));
  }
  expect(statuses.filter((status) => status < 300 || status === 404)).not.toEqual([]);
  expect(await allOfAlfa()).toEqual(before);
};

type Named = { name: string; operation: Operation };
const reads = ({ operation }: Named): boolean => operation.method === "GET";

describe("one team with all the ids, emails, userIds and keys of another", () => {
  const asTeam = ({ name, operation }: Named) => walk("/v1", bravo.key, name, operation);
  const asOperator = ({ name, operation }: Named) =>
    walk("/admin", bindings.ADMIN_TOKEN, name, operation, name === "teams.list" ? theirs.email : MARK);
  const v1All = operationsOf(v1);
  const adminAll = operationsOf(adminContract);

  it.each(v1All.filter((one) => !reads(one)))("sees and changes nothing of it: $name", asTeam);
  it("sees and changes nothing of it in any operation that acts, as the operator's team", async () => {
    for (const one of adminAll.filter((operation) => !reads(operation))) await asOperator(one);
  });
  it("sees nothing of it in any operation that only reads, also as the operator's team", async () => {
    for (const one of v1All.filter(reads)) await asTeam(one);
    for (const one of adminAll.filter(reads)) await asOperator(one);
  });

  it("cannot see data that the team itself sees", async () => {
    const reading = operationsOf(v1).filter(({ operation }) => operation.method === "GET");
    for (const { name, operation } of reading) {
      const answers = [];
      for (const input of inputsOf(operation, theirs)) answers.push(await send("/v1", alfa.key, operation, input, ""));
      expect(
        answers.map(({ status }) => status),
        name,
      ).toContain(200);
    }
    const own = await send("/v1", alfa.key, v1.contacts.find, { email: theirs.email }, "");
    expect(own.text).toContain(MARK);
    for (const operation of [v1.contacts.create, v1.contactProperties.create, v1.events.send]) {
      const taken = await send("/v1", alfa.key, operation, operation.example, theirs.idempotencyKey);
      expect([taken.status, taken.json.code], operation.path).toEqual([409, "idempotency_key_used"]);
    }
  });
});

it("a suppression of one team does not suppress mail of another, in both directions", async () => {
  const mail = { transactionalId: "tpl_welcome", email: theirs.email, dataVariables: { name: "B" } };
  await bravo.post("/transactional", mail);
  expect(await bravo.rows("SELECT state = 'not_sent' AS held FROM sends")).toEqual([{ held: 0 }]);
  await alfa.remove(`/contacts/suppression?email=${theirs.email}`);
  await bravo.admin("POST", "/suppressions", { email: theirs.email });
  expect((await alfa.get(`/contacts/suppression?email=${theirs.email}`)).json.isSuppressed).toBe(false);
});

it("a cursor of one team shows another only its own rows", async () => {
  await bravo.post("/events/send", { userId: "u1", eventName: "bravos" });
  for (let i = 0; i < 12; i++) await alfa.post("/events/send", { userId: "u1", eventName: `${MARK}${i}` });
  const { nextCursor } = (await alfa.get("/event-patterns?perPage=10")).json.pagination;
  expect((await bravo.get(`/event-patterns?cursor=${nextCursor}`)).json.data).toMatchObject([{ eventName: "bravos" }]);
});

it("an admin request acts on one team only, and an API key opens nothing of the admin", async () => {
  const { status } = await admin("DELETE", `/admin/teams/bravo/keys/${theirs.keyId}`);
  expect(status).toBe(404);
  expect((await alfa.get("/api-key")).status).toBe(200);
  const own = { headers: { Authorization: `Bearer ${bravo.key}` } };
  for (const team of ["alfa", "bravo"]) {
    expect((await request("GET", `/admin/teams/${team}/keys`, own)).status).toBe(401);
  }
});
