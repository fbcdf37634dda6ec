import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, bindings, createTeam, isolated, request, runAlarm, START, type Team } from "../../bench.ts";
import { addWebhook, delivered, ENDPOINT, look, type Received, receive } from "./receiver.ts";

isolated();

const DAY = 86_400_000;
let team: Team;
let received: Received[];
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  ({ received } = receive());
  team = await createTeam();
});

const contact = (email: string) => team.post("/contacts/create", { email });
const asRefused = ({ status, json }: { status: number; json: { code: string; path?: string; message: string } }) => [
  status,
  json.code,
  json.path,
  json.message,
];

describe("an outgoing webhook", () => {
  it("is added with a secret that is shown once, and listed without it", async () => {
    const { status, json } = await team.admin("POST", "/webhooks", { url: ENDPOINT, description: "CRM" });
    const shown = {
      id: expect.stringMatching(/^whk_[0-9a-z]{20}$/),
      url: ENDPOINT,
      description: "CRM",
      events: [],
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      notice: null,
      previousSecretUntil: null,
      createdAt: new Date(START).toISOString(),
    };
    expect([status, json]).toEqual([201, { ...shown, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) }]);
    expect(await team.everything()).not.toMatch(/whsec_/);
    expect((await team.admin("GET", "/webhooks")).json).toEqual({ data: [shown] });
    expect((await look(team, json)).webhook).toEqual({ ...shown, waiting: 0 });
  });

  it("is changed field by field", async () => {
    const { id } = await addWebhook(team);
    const change = (fields: object) => team.admin("POST", `/webhooks/${id}`, fields);
    const url = "https://other.example.com/hooks";
    expect((await change({ url })).json).toMatchObject({ url, description: "", events: [] });
    const events = ["email.opened", "contact.created"];
    expect((await change({ events: [...events, "email.opened"] })).json).toMatchObject({ url, events });
    const disabled = (await change({ enabled: false })).json;
    expect(disabled).toMatchObject({ enabled: false, disabledReason: "manual", url, events });
    expect(disabled).not.toHaveProperty("secret");
  });

  it.each([
    [{}, "url", "url is required."],
    [{ url: "http://app.example.com/" }, "url", "url: must be https."],
    [{ url: "https://127.0.0.1/" }, "url", "url: must have a host name, not an IP address."],
    [{ url: "https://x.internal/" }, "url", "url: must have a public host name, not a name of a local network."],
    [{ url: ENDPOINT, description: "x".repeat(501) }, "description", "description: must be at most 500 characters"],
    [{ url: ENDPOINT, events: ["contact.updated"] }, "events.0", /^events\.0: must be one of contact\.created, /],
    [{ url: ENDPOINT, events: "all" }, "events", "events: must be a list"],
  ])("is refused with %j", async (fields, path, message) => {
    const { status, json } = await team.admin("POST", "/webhooks", fields);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
    expect(json.message).toMatch(message);
    expect((await team.admin("GET", "/webhooks")).json.data).toEqual([]);
  });

  it.each([
    ["https://app.example.com/\r\nfoo", "https://app.example.com/foo"],
    ["\t https://App.Example.com:443/a b\u202e", "https://app.example.com/a%20b%E2%80%AE"],
    ["https://bücher.example.com", "https://xn--bcher-kva.example.com/"],
  ])("shows and calls the address that is meant by %j", async (url, meant) => {
    const { json } = await team.admin("POST", "/webhooks", { url });
    expect(json.url).toBe(meant);
    await team.admin("POST", `/webhooks/${json.id}`, { url: ENDPOINT });
    expect((await team.admin("POST", `/webhooks/${json.id}`, { url })).json.url).toBe(meant);
    await team.admin("POST", `/webhooks/${json.id}/test`);
    await delivered(team);
    expect(received.map((one) => one.url)).toEqual([meant]);
  });

  it("keeps its address where the new one is refused, and needs a change", async () => {
    const { id } = await addWebhook(team);
    const refused = await team.admin("POST", `/webhooks/${id}`, { url: "https://localhost/" });
    expect(asRefused(refused).slice(0, 3)).toEqual([400, "invalid_request", "url"]);
    expect((await look(team, { id })).webhook.url).toBe(ENDPOINT);
    const empty = await team.admin("POST", `/webhooks/${id}`, {});
    expect(empty.json.message).toBe("url: one of url, events, description, enabled and rotateSecret is required");
  });

  it("lists the deliveries in one state, page by page", async () => {
    const { id } = await addWebhook(team);
    for (let n = 0; n < 12; n += 1) await contact(`p${n}@example.com`);
    await delivered(team);
    const page = async (query: string) => (await team.admin("GET", `/webhooks/${id}?${query}`)).json;
    expect((await page("state=failed")).data).toEqual([]);
    const first = await page("state=delivered&perPage=10");
    expect(first.data).toHaveLength(10);
    expect(first.pagination).toMatchObject({ totalResults: 12, nextPage: expect.stringContaining("state=delivered") });
    const second = await page(`state=delivered&perPage=10&cursor=${first.pagination.nextCursor}`);
    expect(second.data).toHaveLength(2);
    expect([...first.data, ...second.data].every(({ state }: { state: string }) => state === "delivered")).toBe(true);
    const wrong = await team.admin("GET", `/webhooks/${id}?state=lost`);
    expect(asRefused(wrong).slice(0, 3)).toEqual([400, "invalid_request", "state"]);
  });

  const REFUSED: [method: string, path: string, body: unknown, field: string, message: RegExp][] = [
    ["POST", "", { url: 5 }, "url", /^url: must be a string$/],
    ["POST", "", { url: "not an address" }, "url", /^url: must be an address such as https:/],
    ["POST", "", { url: `https://app.example.com/${"x".repeat(2_000)}` }, "url", /^url: must be at most 2000/],
    ["POST", "", { url: "https://me:secret@app.example.com/" }, "url", /^url: must not have a user or a password\.$/],
    ["POST", "", { url: "ftp://app.example.com/" }, "url", /^url: must be an address such as https:/],
    ["POST", "", { url: "https://app.example.com:25/" }, "url", /^url: must have the port 443, /],
    ["POST", "/id", { enabled: "yes" }, "enabled", /^enabled: must be true or false$/],
    ["POST", "/id", { rotateSecret: 1 }, "rotateSecret", /^rotateSecret: must be true or false$/],
    ["POST", "/id", { events: ["contact.created", "x"] }, "events.1", /^events\.1: must be one of /],
    ["POST", "/id", { url: "https://[::ffff:10.0.0.1]/" }, "url", /^url: must have a host name, not an IP address\.$/],
    ["GET", "/id?perPage=9", undefined, "perPage", /^perPage: must be /],
    ["GET", "/id?cursor=%25", undefined, "cursor", /cursor/],
    [
      "POST",
      "/id/replay",
      { since: 1_795_357_903 },
      "since",
      /^since: must be a date, such as .*, or Unix milliseconds$/,
    ],
    ["POST", "/id/replay", { since: 1_795_357_903_869.5 }, "since", /^since: must be a date/],
    ["POST", "/id/replay", { since: 1e15 }, "since", /^since: must be a date/],
    ["POST", "/id/replay", { since: "soon" }, "since", /^since: must be a date/],
    ["POST", "/id/replay", { failed: "yes" }, "failed", /^failed: must be true or false$/],
    ["POST", "/id/replay", { failed: true, dryRun: 1 }, "dryRun", /^dryRun: must be true or false$/],
  ];
  it.each(REFUSED)("refuses %s %s %j with the field %s", async (method, path, body, field, message) => {
    const { id } = await addWebhook(team);
    const before = await team.everything();
    const refused = await team.admin(method, `/webhooks${path.replace("/id", `/${id}`)}`, body);
    expect(asRefused(refused).slice(0, 3)).toEqual([400, "invalid_request", field]);
    expect(refused.json.message).toMatch(message);
    expect(await team.everything()).toBe(before);
  });

  const ROUTES: [method: string, path: string, body?: object][] = [
    ["GET", "/webhooks"],
    ["POST", "/webhooks", { url: ENDPOINT }],
    ["GET", "/webhooks/whk_x"],
    ["POST", "/webhooks/whk_x", { url: ENDPOINT }],
    ["DELETE", "/webhooks/whk_x"],
    ["POST", "/webhooks/whk_x/replay", { failed: true }],
    ["POST", "/webhooks/whk_x/test"],
  ];
  it.each(ROUTES)("needs the admin token, and a team: %s %s", async (method, path, body) => {
    const at = (slug: string, headers: Record<string, string>) =>
      request(method, `/admin/teams/${slug}${path}`, { body, headers });
    const token = (text: string) => ({ Authorization: `Bearer ${text}` });
    expect((await at("acme", {})).json).toMatchObject({ success: false, code: "missing_api_key" });
    const refused = await at("acme", token(team.key));
    expect([refused.status, refused.json.code]).toEqual([401, "invalid_api_key"]);
    const nowhere = await at("nobody", token(bindings.ADMIN_TOKEN));
    expect([nowhere.status, nowhere.json.code, nowhere.json.path]).toEqual([404, "not_found", "team"]);
  });

  it.each([
    ["PUT", "/webhooks", "GET, POST"],
    ["DELETE", "/webhooks", "GET, POST"],
    ["PUT", "/webhooks/whk_x", "GET, POST, DELETE"],
    ["GET", "/webhooks/whk_x/replay", "POST"],
    ["DELETE", "/webhooks/whk_x/test", "POST"],
  ])("answers 405 to another method: %s %s", async (method, path, allowed) => {
    const refused = await team.admin(method, path);
    expect([refused.status, refused.json.code]).toEqual([405, "method_not_allowed"]);
    expect(refused.headers.get("Allow")).toBe(allowed);
  });

  it("is one of 20 at most", async () => {
    for (let n = 0; n < 20; n++) await addWebhook(team);
    const message = "The team has 20 webhooks, which is the limit. Delete one first.";
    expect(asRefused(await team.admin("POST", "/webhooks", { url: ENDPOINT }))).toEqual([
      400,
      "too_many_webhooks",
      undefined,
      message,
    ]);
    const [{ id }] = (await team.admin("GET", "/webhooks")).json.data;
    await team.admin("DELETE", `/webhooks/${id}`);
    expect((await team.admin("POST", "/webhooks", { url: ENDPOINT })).status).toBe(201);
  });

  it.each([
    ["GET", ""],
    ["POST", "", { enabled: true }],
    ["DELETE", ""],
    ["POST", "/replay", { failed: true }],
    ["POST", "/test"],
  ])("that does not exist is 404: %s …%s", async (method, rest, body?: object) => {
    const message =
      'There is no webhook with the id "whk_x" in this team. GET /admin/teams/{team}/webhooks lists them.';
    expect(asRefused(await team.admin(method, `/webhooks/whk_x${rest}`, body))).toEqual([
      404,
      "not_found",
      "webhookId",
      message,
    ]);
  });

  it("that is deleted gets nothing more, and its deliveries and its secret go", async () => {
    const { id, secret } = await addWebhook(team);
    await contact("ada@example.com");
    await delivered(team);
    expect((await team.admin("DELETE", `/webhooks/${id}`)).json).toEqual({ success: true });
    expect((await team.admin("GET", "/webhooks")).json.data).toEqual([]);
    expect((await team.admin("GET", `/webhooks/${id}`)).status).toBe(404);
    expect(await team.everything()).not.toContain(secret);
    await contact("bo@example.com");
    advance(DAY);
    await runAlarm(team.stub);
    expect(received).toHaveLength(1);
    expect(await team.rows("SELECT * FROM webhook_notifications")).toEqual([]);
    expect(await team.rows("SELECT * FROM webhook_endpoints")).toEqual([]);
  });

  it("shows its deliveries by pages, newest first", async () => {
    const webhook = await addWebhook(team);
    for (let n = 0; n < 12; n++) await contact(`c${n}@example.com`);
    await delivered(team);
    const first = (await team.admin("GET", `/webhooks/${webhook.id}?perPage=10`)).json;
    expect(first.pagination).toMatchObject({ totalResults: 12, returnedResults: 10, totalPages: 2 });
    expect(first.pagination.nextPage).toMatch(
      new RegExp(`^https?://[^/]+/admin/teams/acme/webhooks/${webhook.id}\\?perPage=10&cursor=`),
    );
    const second = (await team.admin("GET", `/webhooks/${webhook.id}?cursor=${first.pagination.nextCursor}`)).json;
    const ids = [...first.data, ...second.data].map(({ eventId }) => eventId);
    expect(ids).toEqual(received.map(({ headers }) => headers["webhook-id"]).reverse());
    expect((await team.admin("GET", `/webhooks/${webhook.id}?cursor=x`)).json.path).toBe("cursor");
  });
});

describe("a replay", () => {
  const replay = (id: string, body: object) => team.admin("POST", `/webhooks/${id}/replay`, body);
  const since = new Date(START).toISOString();

  it("delivers the events of a time span again, with their ids; a dry run only counts", async () => {
    const { id } = await addWebhook(team, { events: ["contact.created"] });
    await contact("ada@example.com");
    advance(DAY);
    await contact("bo@example.com");
    await team.put("/contacts/update", { email: "bo@example.com", subscribed: false });
    await delivered(team);
    const ids = received.splice(0).map(({ headers }) => headers["webhook-id"]);
    const dry = await replay(id, { since, dryRun: true });
    expect([dry.status, dry.json]).toEqual([200, { success: true, dryRun: true, events: 2 }]);
    await delivered(team);
    expect(received).toEqual([]);
    const until = new Date(START + DAY / 2).toISOString();
    expect((await replay(id, { since, until })).json).toEqual({ success: true, dryRun: false, events: 1 });
    await delivered(team);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(ids.slice(0, 1));
    expect((await replay(id, { since })).json.events).toBe(2);
    await delivered(team);
    for (const [from, to] of [
      [START, START + DAY / 2],
      [String(START), String(START + DAY / 2)],
    ])
      expect((await replay(id, { since: from, until: to, dryRun: true })).json.events).toBe(1);
    expect(received).toHaveLength(3);
  });

  it("delivers what happened while the endpoint was disabled, and before another one was added", async () => {
    const { id } = await addWebhook(team);
    await team.admin("POST", `/webhooks/${id}`, { enabled: false });
    await contact("ada@example.com");
    const message = `The webhook "${id}" is disabled. Enable it first: POST /admin/teams/{team}/webhooks/{webhookId} with enabled: true.`;
    expect(asRefused(await replay(id, { since }))).toEqual([400, "webhook_disabled", "webhookId", message]);
    expect((await team.admin("POST", `/webhooks/${id}/test`)).json.code).toBe("webhook_disabled");
    await team.admin("POST", `/webhooks/${id}`, { enabled: true });
    await delivered(team);
    expect(received).toEqual([]);
    const later = await addWebhook(team, { url: "https://later.example.com/" });
    for (const one of [id, later.id]) expect((await replay(one, { since })).json.events).toBe(1);
    await delivered(team);
    expect(received.map(({ url }) => url).sort()).toEqual([ENDPOINT, "https://later.example.com/"]);
  });

  it.each([
    [{}, "since", "since or failed: true is required"],
    [
      { since: "yesterday" },
      "since",
      "since: must be a date, such as 2026-01-31 or 2026-01-31T12:00:00Z, or Unix milliseconds",
    ],
    [{ since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" }, "until", "until: must be later than since"],
  ])("is refused with %j", async (body, path, message) => {
    const { id } = await addWebhook(team);
    expect(asRefused(await replay(id, body))).toEqual([400, "invalid_request", path, message]);
  });

  it("of more than 50 000 events is refused", async () => {
    const { id } = await addWebhook(team);
    await team.run(
      `INSERT INTO webhook_events (n, id, type, payload, created_at)
       WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 50000)
       SELECT ? * 1000 + i, 'evt_' || i, 'contact.created', '{}', ? FROM numbers`,
      START,
      START,
    );
    const message = "The request is for more than 50000 events. Choose a shorter span with since and until.";
    expect(asRefused(await replay(id, { since }))).toEqual([400, "too_many_events", "since", message]);
  });
});

it("events and their deliveries are deleted after 30 days", async () => {
  await addWebhook(team);
  await contact("ada@example.com");
  await delivered(team);
  advance(30 * DAY - 1_000);
  await runAlarm(team.stub);
  expect(await team.rows("SELECT n FROM webhook_events")).toHaveLength(1);
  advance(2_000);
  await runAlarm(team.stub);
  expect(await team.rows("SELECT n FROM webhook_events")).toEqual([]);
  expect(await team.rows("SELECT event FROM webhook_notifications")).toEqual([]);
});
