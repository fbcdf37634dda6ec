import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../bench.ts";

isolated();

// Forms of "not given" by published clients: null or an empty query value (Ruby), and [] for an empty map (Ruby,
// PHP).
const ada = { email: "ada@example.com", userId: "u1" };
let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true, createProperties: true });
  await team.run(
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_news', 'News', '', 'public', 0)",
  );
  await team.post("/contacts/create", { ...ada, plan: "pro", subscribed: false, mailingLists: { lst_news: true } });
});

const nothing = (value: null | []) => ({
  properties: value,
  mailingLists: value,
  ...(value === null ? { subscribed: null } : {}),
});

describe.each([
  ["null", null],
  ["an empty list", [] as []],
])("%s", (_, value) => {
  it.each([
    ["PUT", "/contacts/update", { email: ada.email, userId: null, ...nothing(value) }],
    ["PUT", "/contacts/update", { email: null, userId: "u1", ...nothing(value) }],
    ["POST", "/events/send", { email: null, userId: "u1", eventName: "x", eventProperties: value, ...nothing(value) }],
    ["POST", "/events/send", { ...ada, eventName: "x", contactProperties: value, ...nothing(value) }],
  ])("in %s %s %j clears nothing", async (method, path, body) => {
    const { updatedAt, ...before } = await team.find({ userId: "u1" });
    const { status, text } = await (method === "PUT" ? team.put : team.post)(path, body);
    expect(status, text).toBe(200);
    expect(await team.find({ userId: "u1" })).toEqual({ ...before, updatedAt });
  });

  it("is accepted by a create, a send and a delete", async () => {
    const created = await team.post("/contacts/create", { email: "b@example.com", userId: null, ...nothing(value) });
    expect([created.status, created.text]).toMatchObject([200, expect.stringContaining("con_")]);
    const mail = {
      transactionalId: "tpl_magic_link",
      email: "b@example.com",
      attachments: value,
      dataVariables: value,
    };
    const sent = await team.post("/transactional", mail);
    expect([sent.status, sent.json.code]).toEqual([400, "missing_data_variables"]);
    expect((await team.post("/contacts/delete", { email: "b@example.com", userId: null })).status).toBe(200);
  });
});

it("is no value for a map of a contact inside a map either", async () => {
  const nested = { subscribed: null, email: null, userId: null };
  for (const [path, body] of [
    ["/contacts/update", { ...ada, properties: nested }],
    ["/events/send", { ...ada, eventName: "x", contactProperties: nested }],
  ] as const) {
    expect((await (path === "/events/send" ? team.post : team.put)(path, body)).status).toBe(200);
  }
  expect(await team.find({ userId: "u1" })).toMatchObject({ ...ada, subscribed: false });
});

it.each([
  "/transactional?cursor&perPage=20",
  "/transactional?cursor=&perPage=",
  "/transactional-emails?status=&cursor=",
  "/event-patterns?perPage=&cursor",
  "/contacts/properties?list=",
  "/contacts/find?email=&userId=u1",
  "/contacts/find?email=ada@example.com&userId",
  "/contacts/suppression?userId=u1&email=",
])("an empty value counts as not given in GET %s", async (path) => {
  expect((await team.get(path)).status).toBe(200);
});

it("an empty value is no identifier", async () => {
  const { status, json } = await team.get("/contacts/find?email=&userId=");
  expect([status, json.message]).toEqual([400, "email or userId is required, and not both."]);
  expect((await team.put("/contacts/update", { email: null, userId: null })).json.message).toBe(
    "email or userId is required.",
  );
});

it.each([
  ["/transactional?perPage=10", "/v1/transactional?", 12],
  ["/event-patterns?perPage=10", "/v1/event-patterns?", 0],
])("the next page of %s is an absolute address", async (path, next, templates) => {
  await team.inside((sql) => {
    for (let n = 1; n <= 12; n++) {
      sql.exec(
        "INSERT INTO event_patterns (n, id, name, types, created_at) VALUES (?, ?, ?, '{}', 0)",
        n,
        `evp_${n}`,
        `e${n}`,
      );
      if (n > templates) continue;
      sql.exec(
        `INSERT INTO templates (n, id, name, published, created_at, updated_at)
         SELECT ?, ?, 'x', published, 0, 0 FROM templates WHERE id = 'tpl_welcome'`,
        n,
        `tpl_${n}`,
      );
    }
  });
  const { json } = await team.get(path);
  expect(json.pagination.nextPage.startsWith(`http://localhost${next}`), json.pagination.nextPage).toBe(true);
  const second = await team.get(json.pagination.nextPage.slice("http://localhost/v1".length));
  expect(second.json.data.length).toBeGreaterThan(0);
});

it("the url of a transactional email is an absolute address", async () => {
  const url = "http://localhost/v1/transactional-emails/tpl_welcome";
  expect((await team.get("/transactional-emails/tpl_welcome")).json.url).toBe(url);
  const { json } = await team.get("/transactional-emails");
  expect(json.data.map((one: { url: string }) => one.url)).toContain(url);
});

it.each([
  { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
  { Forwarded: "host=evil.example;proto=https" },
])("an address does not come from %o, which any caller can send", async (headers) => {
  const { json } = await team.send("GET", "/transactional-emails/tpl_welcome", { headers });
  expect(json.url).toBe("http://localhost/v1/transactional-emails/tpl_welcome");
});
