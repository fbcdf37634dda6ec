import { beforeEach, describe, expect, it } from "vitest";
import { type AdminContract, adminContract } from "../../../../src/email/admin/contract.ts";
import {
  type Operation,
  type OperationName,
  operationsOf,
  pathParameters,
} from "../../../../src/lib/contract/operation.ts";
import { type V1, v1 } from "../../../../src/lib/contract/v1.ts";
import { admin, advance, bindings, createTeam, isolated, request, type Team } from "../bench.ts";

isolated();

/** What one team knows of itself and another could try. */
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
  idempotencyKey: string;
  keyId: string;
};

/** In place of another team's things: the same shapes, but nobody's. */
const nobodys: Known = {
  email: "nobody@example.com",
  userId: "u-nobody",
  contactId: "con_00000000000000000000",
  listId: "lst_00000000000000000000",
  property: "nobodysPlan",
  eventName: "nobodysEvent",
  patternId: "evp_00000000000000000000",
  templateId: "tpl_nobodys",
  messageId: "msg_00000000000000000000",
  idempotencyKey: "key-of-nobody",
  keyId: "key_00000000000000000000",
};

type Attempt = { input: Record<string, unknown>; status: number; key?: string };

/** Every operation of the API, with what a team that knows all of another's ids could send. */
const attempts: { readonly [Name in OperationName<V1>]: (their: Known) => Attempt[] } = {
  "apiKey.test": () => [{ input: {}, status: 200 }],
  "contacts.create": ({ email, userId, property, listId, idempotencyKey }) => [
    { input: { email, userId }, status: 200, key: idempotencyKey },
    { input: { email: "new@example.com", [property]: "x" }, status: 400 },
    { input: { email: "new@example.com", mailingLists: { [listId]: true } }, status: 400 },
  ],
  "contacts.update": ({ email, userId, contactId, property, listId }) => [
    { input: { email, firstName: "B" }, status: 200 },
    { input: { userId, firstName: "B" }, status: 200 },
    { input: { userId: contactId, firstName: "B" }, status: 200 },
    { input: { email, properties: { [property]: null } }, status: 400 },
    { input: { email, mailingLists: { [listId]: false } }, status: 400 },
  ],
  "contacts.find": ({ email, userId, contactId }) =>
    [{ email }, { userId }, { userId: contactId }].map((input) => ({ input, status: 200 })),
  "contacts.delete": ({ email, userId, contactId }) =>
    [{ email }, { userId }, { userId: contactId }].map((input) => ({ input, status: 404 })),
  "contactProperties.create": ({ property, idempotencyKey }) => [
    { input: { name: property, type: "number" }, status: 200, key: idempotencyKey },
  ],
  "contactProperties.list": () => [{}, { list: "custom" }].map((input) => ({ input, status: 200 })),
  "suppression.get": ({ email, userId }) => [{ email }, { userId }].map((input) => ({ input, status: 404 })),
  "suppression.remove": ({ email, userId }) => [{ email }, { userId }].map((input) => ({ input, status: 404 })),
  "lists.list": () => [{ input: {}, status: 200 }],
  "events.send": ({ email, userId, eventName, property, listId, idempotencyKey }) => [
    { input: { email, userId, eventName, eventProperties: { b: 1 } }, status: 200, key: idempotencyKey },
    { input: { userId, eventName, contactProperties: { [property]: "x" } }, status: 400 },
    { input: { userId, eventName, mailingLists: { [listId]: true } }, status: 400 },
  ],
  "eventPatterns.list": () => [{ input: {}, status: 200 }],
  "eventPatterns.get": ({ patternId, eventName }) =>
    [patternId, eventName].map((eventPatternId) => ({ input: { eventPatternId }, status: 404 })),
  "eventPatterns.getByName": ({ patternId, eventName }) =>
    [eventName, patternId].map((name) => ({ input: { eventName: name }, status: 404 })),
  "transactional.send": ({ templateId, messageId, email, idempotencyKey }) => [
    { input: { transactionalId: templateId, email }, status: 404, key: idempotencyKey },
    { input: { transactionalId: messageId, email }, status: 404 },
    {
      ...{ status: 200, key: idempotencyKey },
      input: { transactionalId: "tpl_welcome", email, addToAudience: true, dataVariables: { name: "B" } },
    },
  ],
  "transactional.list": () => [{ input: {}, status: 200 }],
  "transactionalEmails.list": () => [{}, { status: "all" }].map((input) => ({ input, status: 200 })),
  "transactionalEmails.get": ({ templateId, messageId }) =>
    [templateId, messageId].map((transactionalId) => ({ input: { transactionalId }, status: 404 })),
  "dedicatedSendingIps.list": () => [{ input: {}, status: 200 }],
};

/** Every operation of the operator, for one team with another's ids. */
const adminAttempts: { readonly [Name in OperationName<AdminContract>]: (their: Known) => Attempt[] } = {
  "teams.list": () => [{ input: {}, status: 200 }],
  "teams.create": () => [{ input: { id: "third", name: "Third" }, status: 201 }],
  "teams.get": () => [{ input: { team: "bravo" }, status: 200 }],
  "teams.update": () => [{ input: { team: "bravo", name: "B", createProperties: true }, status: 200 }],
  "keys.list": () => [{ input: { team: "bravo" }, status: 200 }],
  "keys.create": () => [{ input: { team: "bravo", name: "B" }, status: 201 }],
  "keys.revoke": ({ keyId }) => [{ input: { team: "bravo", keyId }, status: 404 }],
  "lists.list": () => [{ input: { team: "bravo" }, status: 200 }],
  "lists.create": () => [{ input: { team: "bravo", name: "B" }, status: 201 }],
  "lists.update": ({ listId }) => [{ input: { team: "bravo", listId, name: "B", isArchived: true }, status: 404 }],
  "suppressions.add": ({ email }) => [{ input: { team: "bravo", email }, status: 200 }],
};

/** In everything of the other team, and in no request: wherever it shows up, it has leaked. */
const MARK = "alfasOwn";

let alfa: Team;
let bravo: Team;
let theirs: Known;
beforeEach(async () => {
  alfa = await createTeam({ id: "alfa", name: MARK });
  bravo = await createTeam({ id: "bravo", name: "Bravo", samples: true });
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
  const template = { ...{ id: "tpl_alfas", name: MARK, subject: MARK, previewText: MARK, fromName: MARK } };
  await alfa.inside((sql) => {
    sql.exec(
      "INSERT INTO template_revisions (n, template, source, compiled, created_at) VALUES (1, 1, ?, ?, 0)",
      ...[JSON.stringify(template), '{"variables":[]}'],
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
  const [pattern] = (await alfa.get("/event-patterns")).json.data;
  const [{ id: keyId }] = (await alfa.admin("GET", "/keys")).json.data;
  theirs = {
    ...{ email, userId: "u-alfa", contactId, listId, property, eventName: "alfasEvent", patternId: pattern.id },
    ...{ templateId: "tpl_alfas", messageId: "msg_alfas", idempotencyKey, keyId },
  };
});

const send = (prefix: string, bearer: string, { method, path }: Operation, { input, key }: Attempt) => {
  const inPath = pathParameters(path);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const hasBody = method === "POST" || method === "PUT";
  const query = hasBody || rest.length === 0 ? "" : `?${new URLSearchParams(rest as [string, string][])}`;
  advance(200);
  return request(method, `${prefix}${filled}${query}`, {
    ...(hasBody ? { body: Object.fromEntries(rest) } : {}),
    headers: { Authorization: `Bearer ${bearer}`, ...(key === undefined ? {} : { "Idempotency-Key": key }) },
  });
};

/** An answer without what the request itself named, and without what is new in every answer. */
const withoutNames = (text: string, names: Known) =>
  Object.entries(names)
    .reduce((rest, [what, name]) => rest.replaceAll(name, `<${what}>`), text)
    .replace(/\b(con|evt|snd|lst|key)_[0-9a-z]+/g, "$1_")
    .replace(/ms_bravo_\w+/g, "ms_bravo_")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");

/** All of the other team, with its rate windows: what it may still ask is its own too. */
const allOfAlfa = async () => [await alfa.everything(), await alfa.rows("SELECT * FROM rate")];

const walk = async (
  prefix: string,
  bearer: string,
  operation: Operation,
  list: (their: Known) => Attempt[],
  leak = MARK,
) => {
  const before = await allOfAlfa();
  const real = list(theirs);
  for (const [i, attempt] of real.entries()) {
    const answer = await send(prefix, bearer, operation, attempt);
    const what = JSON.stringify(attempt);
    expect(answer.status, `${what}: ${answer.text}`).toBe(attempt.status);
    expect(answer.text, what).not.toContain(leak);
    const fake = list(nobodys)[i];
    if (fake === undefined || JSON.stringify(fake) === what) continue;
    const control = await send(prefix, bearer, operation, fake);
    // What is another team's cannot be told from what does not exist.
    expect(withoutNames(answer.text, theirs), what).toBe(withoutNames(control.text, nobodys));
  }
  expect(await allOfAlfa()).toEqual(before);
};

describe("one team with all the ids, emails, userIds and keys of another", () => {
  it.each(operationsOf(v1))("sees and changes nothing of it: $name", async ({ name, operation }) => {
    const list = attempts[name as OperationName<V1>];
    expect(list, `the walk does not cover ${name}: add what another team's ids could do there`).toBeDefined();
    await walk("/v1", bravo.key, operation, list);
  });

  it.each(operationsOf(adminContract))("nor do admin calls for it: $name", async ({ name, operation }) => {
    const list = adminAttempts[name as OperationName<AdminContract>];
    expect(list, `the walk does not cover ${name}`).toBeDefined();
    // The list of teams is the one answer that names every team.
    await walk("/admin", bindings.ADMIN_TOKEN, operation, list, name === "teams.list" ? theirs.email : MARK);
  });

  it("though all of it is there, for the team itself", async () => {
    for (const { name, operation } of operationsOf(v1)) {
      const [first] = attempts[name as OperationName<V1>](theirs).filter(({ status }) => status === 404);
      if (!first || name === "contacts.delete" || name === "transactional.send") continue;
      expect((await send("/v1", alfa.key, operation, first)).status, name).toBe(200);
    }
    const own = attempts["contacts.find"](theirs)[0] as Attempt;
    expect((await send("/v1", alfa.key, v1.contacts.find, own)).text).toContain(MARK);
    // Its idempotency key is taken, for it alone.
    for (const name of ["contacts.create", "contactProperties.create", "events.send"] as const) {
      const [attempt] = attempts[name](theirs);
      const { operation } = operationsOf(v1).find((known) => known.name === name) ?? {};
      expect((await send("/v1", alfa.key, operation as Operation, attempt as Attempt)).status, name).toBe(409);
    }
  });

  it("covers no operation that is gone", () => {
    const names = (contract: typeof v1 | AdminContract) => operationsOf(contract).map(({ name }) => name);
    expect(Object.keys(attempts).toSorted()).toEqual(names(v1).toSorted());
    expect(Object.keys(adminAttempts).toSorted()).toEqual(names(adminContract).toSorted());
  });
});

it("a suppression of one team holds back no mail of another, and the other way round", async () => {
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

it("an admin call names one team, and no team's key is the operator's", async () => {
  const { status } = await admin("DELETE", `/admin/teams/bravo/keys/${theirs.keyId}`);
  expect(status).toBe(404);
  expect((await alfa.get("/api-key")).status).toBe(200);
  const own = { headers: { Authorization: `Bearer ${bravo.key}` } };
  for (const team of ["alfa", "bravo"]) {
    expect((await request("GET", `/admin/teams/${team}/keys`, own)).status).toBe(401);
  }
});
