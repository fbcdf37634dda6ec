import { beforeEach, describe, expect, it } from "vitest";
import { type Operation, operationsOf, pathParameters } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { advance, arranged, createTeam, type Team } from "../bench.ts";
import { arrange, toHttp } from "../examples.ts";

// Shared promises of all content operations, from the contract. Promises of one operation are tested in its room.

const GROUPS =
  /^(transactionalEmails|emailMessages|themes|components|campaignGroups|transactionalGroups|workflowGroups|workflows|campaigns|uploads)\./;
const content = operationsOf(v1).filter(({ name }) => GROUPS.test(name));

const kept = arranged(async () => {
  const made = await createTeam({ samples: true });
  await arrange(made);
  return made;
});
let team: Team;
beforeEach(() => {
  team = kept();
});

const bodyOf = (operation: Operation) => toHttp("", operation, operation.example).body;
const pathOf = (operation: Operation, changes: object = {}) =>
  toHttp("", operation, { ...operation.example, ...changes }).path;
const ask = (operation: Operation, body: unknown = bodyOf(operation), headers: Record<string, string> = {}) => {
  advance(1_100);
  return team.send(operation.method, pathOf(operation), { body, headers });
};
const short = (text: string) => text.slice(0, 300);

it("are the operations for content", () => {
  const count = (group: string) => content.filter(({ name }) => name.startsWith(`${group}.`)).length;
  const groups = [
    "transactionalEmails",
    "emailMessages",
    "themes",
    "components",
    "campaignGroups",
    "transactionalGroups",
    "workflowGroups",
    "workflows",
    "campaigns",
  ];
  expect([...groups, "uploads"].map(count)).toEqual([7, 4, 4, 4, 4, 4, 4, 14, 5, 2]);
});

describe("each operation for content", () => {
  it("answers 405 with Allow to another method, and changes nothing", async () => {
    const before = await team.everything();
    for (const { name, operation } of content) {
      advance(1_100);
      const { status, json, headers } = await team.send("PATCH", pathOf(operation), { body: {} });
      expect([status, json.code], name).toEqual([405, "method_not_allowed"]);
      expect(headers.get("Allow")?.split(", "), name).toContain(operation.method);
    }
    expect(await team.everything()).toBe(before);
  });

  it("answers 401 without a key of the team, and counts in the window of the contract", async () => {
    const before = await team.everything();
    for (const { name, operation } of content) {
      const { status: unknown, json } = await team.send(operation.method, pathOf(operation), {
        body: bodyOf(operation),
        headers: { Authorization: "Bearer ms_acme_none" },
      });
      expect([unknown, json.code], name).toEqual([401, "invalid_api_key"]);
      advance(1_100);
      const used = JSON.stringify(Array.from({ length: 60 }, () => Date.now() - 30_000));
      await team.run("INSERT OR REPLACE INTO rate (name, hits) VALUES ('content', ?)", used);
      const { status, headers } = await team.send("PATCH", pathOf(operation), { body: {} });
      const isContent = operation.window === "content";
      expect([status, headers.get("Retry-After")], name).toEqual(isContent ? [429, "30"] : [405, null]);
    }
    expect(await team.everything()).toBe(before);
  });

  it("answers 404 with code, path and the way to the ids for an id that does not exist", async () => {
    const before = await team.everything();
    for (const { name, operation } of content) {
      const [parameter] = pathParameters(operation.path);
      if (parameter === undefined) continue;
      const to = (id: string) => {
        advance(1_100);
        return team.send(operation.method, pathOf(operation, { [parameter]: id }), { body: bodyOf(operation) });
      };
      for (const id of ["none", "msg_none", "__proto__", "é", "%00", "' OR 1=1 --", "x".repeat(100)]) {
        const { status, json, text } = await to(id);
        expect([status, json.path], `${name}: ${short(text)}`).toEqual([404, parameter]);
        expect(json, name).toMatchObject({
          success: false,
          code: expect.stringMatching(/_not_found$/),
          message: expect.stringContaining(id),
        });
      }
      const { status, json } = await to("x".repeat(101));
      expect([status, json.code, json.path], name).toEqual([400, "invalid_request", parameter]);
    }
    expect(await team.everything()).toBe(before);
  });
});

const UNREADABLE: [status: number, code: string, body: string, headers: Record<string, string>][] = [
  [415, "unsupported_media_type", "{}", { "Content-Type": "text/html" }],
  [415, "unsupported_media_type", "{}", { "Content-Encoding": "gzip" }],
  [413, "body_too_large", JSON.stringify({ x: "x".repeat(1_000_000) }), {}],
  [400, "invalid_json", "{", {}],
  [400, "invalid_json", "[]", {}],
  [400, "invalid_request", '{"__proto__":{}}', {}],
];

const withBody = content.filter(({ operation }) => operation.method === "POST" && operation.body !== false);
describe("each operation for content with a body", () => {
  it("answers 415, 413 and 400 to a body that it cannot read, and changes nothing", async () => {
    const before = await team.everything();
    for (const { name, operation } of withBody) {
      for (const [status, code, body, headers] of UNREADABLE) {
        const answer = await ask(operation, body, { "Content-Type": "application/json", ...headers });
        expect([answer.status, answer.json.code], `${name}: ${short(answer.text)}`).toEqual([status, code]);
      }
    }
    expect(await team.everything()).toBe(before);
  });

  it("names the field in the refusal of each value of a wrong type, and changes nothing", async () => {
    const before = await team.everything();
    for (const { name, operation } of withBody) {
      const example = bodyOf(operation) as Record<string, unknown>;
      for (const [field, good] of Object.entries(example)) {
        for (const wrong of [true, 1.5, "\u0000", ["x", 1], { x: { y: 1 } }].filter(
          (one) => typeof one !== typeof good,
        )) {
          const answer = await ask(operation, { ...example, [field]: wrong });
          const what = `${name} ${field} ${JSON.stringify(wrong)}: ${short(answer.text)}`;
          expect([answer.status, answer.json.success], what).toEqual([400, false]);
          expect(answer.json.path.split(/[.[]/)[0], what).toBe(field);
          expect(answer.json.message.startsWith(field), what).toBe(true);
        }
      }
    }
    expect(await team.everything()).toBe(before);
  });
});

const creates = content.filter(({ operation }) => operation.idempotent);
describe.each(creates)("$name", ({ operation }) => {
  it("is done once for an Idempotency-Key, also when ten requests come at once", async () => {
    const key = { "Idempotency-Key": "once" };
    const first = await ask(operation, undefined, key);
    expect(first.status, first.text).toBe(operation.status);
    const after = await team.everything();
    const second = await ask(operation, undefined, key);
    expect([second.status, second.json.code]).toEqual([409, "idempotency_key_used"]);
    expect(await team.everything()).toBe(after);
    advance(2_000);
    await team.run("UPDATE workflows SET revision = 'rev_1'");
    const send = () =>
      team.send("POST", pathOf(operation), { body: bodyOf(operation), headers: { "Idempotency-Key": "at once" } });
    const statuses = (await Promise.all(Array.from({ length: 10 }, send))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([operation.status, ...Array.from({ length: 9 }, () => 409)].toSorted());
  });
});

const lists = content.filter(({ name }) => name.endsWith(".list"));
const createOf = (name: string) =>
  creates.find((one) => one.name === name.replace(/list$/, "create"))?.operation as Operation;
describe.each(lists)("$name", ({ name, operation }) => {
  it("shows pages that do not shift while rows are added, and refuses other sizes and cursors", async () => {
    const create = createOf(name);
    const query = name.startsWith("transactionalEmails") ? "status=all&" : "";
    for (let n = 0; n < 12; n++) expect((await ask(create)).status).toBe(create.status);
    const page = async (rest: string) => {
      advance(1_100);
      return team.send("GET", `${operation.path}?${query}${rest}`);
    };
    const first = (await page("perPage=10")).json;
    expect([first.data.length, first.pagination.perPage]).toEqual([10, 10]);
    await ask(create);
    const second = (await page(`perPage=10&cursor=${first.pagination.nextCursor}`)).json;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.data[0].id).not.toBe(first.data.at(-1).id);
    expect(second.pagination.totalResults).toBe(first.pagination.totalResults + 1);
    const next = (await page("perPage=50")).json.data.map(({ id }: { id: string }) => id);
    expect(next.slice(1, 11)).toEqual(ids.slice(0, 10));
    for (const [field, values] of Object.entries({
      perPage: ["9", "51", "-1", "1e1", "x"],
      cursor: ["x", btoa("n-1"), "%00"],
    })) {
      for (const value of values) {
        const { status, json } = await page(`${field}=${encodeURIComponent(value)}`);
        expect([status, json.code, json.path], value).toEqual([400, "invalid_request", field]);
      }
    }
  });
});

describe("edits of one draft at the same time", () => {
  const edit = (n: number, revision: string) =>
    team.send("POST", "/email-messages/msg_1", {
      body: { subject: `Edit ${n} of ${revision}`, expectedRevisionId: revision },
    });
  const current = async () => (await team.get("/email-messages/msg_1")).json;

  it("of the same revision: exactly one of ten is saved, and the others name its revision", async () => {
    for (let round = 0; round < 5; round++) {
      advance(20_000);
      const { contentRevisionId } = await current();
      advance(2_000);
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => edit(n, contentRevisionId)));
      const saved = answers.filter(({ status }) => status === 200);
      expect(saved).toHaveLength(1);
      advance(2_000);
      const now = await current();
      expect(now).toMatchObject({
        subject: saved[0]?.json.subject,
        contentRevisionId: saved[0]?.json.contentRevisionId,
      });
      for (const { status, json } of answers.filter((one) => one !== saved[0])) {
        expect([status, json]).toEqual([
          409,
          {
            success: false,
            code: "revision_conflict",
            path: "expectedRevisionId",
            contentRevisionId: now.contentRevisionId,
            message: expect.stringContaining(now.contentRevisionId),
          },
        ]);
      }
    }
  });

  it("and its publication: the revision that is published is the one that was saved last", async () => {
    advance(20_000);
    const { contentRevisionId } = await current();
    advance(2_000);
    const publish = () => team.send("POST", "/transactional-emails/tpl_draft/publish", { body: {} });
    const [edited, first, second] = await Promise.all([edit(1, contentRevisionId), publish(), publish()]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
    const { subject } = await current();
    expect([200, 409]).toContain(edited.status);
    expect(subject).toBe(edited.status === 200 ? `Edit 1 of ${contentRevisionId}` : "Hello");
    const [sent] = await team.rows(
      "SELECT json_extract(r.source, '$.subject') AS subject FROM templates t JOIN message_revisions r ON r.n = t.published WHERE t.id = 'tpl_draft'",
    );
    expect(sent?.subject).toBe(subject);
  });
});
