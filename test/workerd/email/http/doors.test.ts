import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../../../src/email/http/app.ts";
import { newKey, teamOfKey } from "../../../../src/email/http/signed-key.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { admin, appWith, bindings, createTeam, isolated, request } from "../bench.ts";

isolated();

const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
/** The number of objects created so far: a reset empties objects but keeps their ids. */
const objects = async () => (await listDurableObjectIds(bindings.WORKSPACE)).length;

describe("no cache may keep an answer", () => {
  it.each(["/v1/api-key", "/v1/contacts/find?email=ada@example.com", "/v1/nothing", "/admin/teams", "/admin/nothing"])(
    "of %s, with a good key, a bad one, or none",
    async (path) => {
      const { key } = await createTeam();
      const good = path.startsWith("/v1") ? key : bindings.ADMIN_TOKEN;
      for (const headers of [{}, { Authorization: "Bearer x" }, { Authorization: `Bearer ${good}` }]) {
        const { headers: answered } = await request("GET", path, { headers });
        expect(answered.get("Cache-Control")).toBe("no-store");
      }
    },
  );
});

describe("an API key", () => {
  it("gives access to its team, and names it", async () => {
    const team = await createTeam({ name: "Acme Inc." });
    expect(team.key).toMatch(/^ms_acme_[0-9a-z]{32}_[0-9a-f]{24}$/);
    expect((await team.get("/api-key")).json).toEqual({ success: true, teamName: "Acme Inc." });
  });

  it("is stored only as its hash", async () => {
    const team = await createTeam();
    expect(await team.rows("SELECT hash, name FROM api_keys")).toEqual([
      { hash: await digest(team.key), name: "test" },
    ]);
    expect(await team.everything()).not.toContain(team.key);
  });

  it("is refused if forged, before any object exists", async () => {
    const before = await objects();
    const forged = await newKey("victim", "another secret");
    const good = await newKey("victim", bindings.API_KEY_SECRET);
    const changed = `${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`;
    for (const key of [forged, changed, good.replace("victim", "other"), good.slice(0, -2), "ms_victim_x_y", "x"]) {
      const { status, json } = await request("GET", "/v1/api-key", bearer(key));
      expect([status, json]).toEqual([
        401,
        { success: false, code: "invalid_api_key", message: "This API key is not valid.", error: "Invalid API key" },
      ]);
    }
    expect(await objects()).toBe(before);
  });

  it("with a valid tag is refused if its team does not know it or has revoked it", async () => {
    const team = await createTeam();
    const unknown = await newKey("acme", bindings.API_KEY_SECRET);
    const { status, json, headers } = await request("GET", "/v1/api-key", bearer(unknown));
    expect([status, json.code, headers.get("x-ratelimit-limit")]).toEqual([401, "invalid_api_key", null]);
    await team.run("UPDATE api_keys SET revoked_at = 1");
    expect((await team.get("/api-key")).status).toBe(401);
  });

  it("is required in the Authorization header: no other scheme, and not in the query", async () => {
    const { key } = await createTeam();
    for (const headers of [
      {},
      { Authorization: `Basic ${key}` },
      { Authorization: key },
      { Authorization: "Bearer " },
    ]) {
      const { status, json } = await request("GET", `/v1/api-key?apiKey=${key}&key=${key}`, { headers });
      expect([status, json.code, json.error]).toEqual([401, "missing_api_key", "Invalid API key"]);
    }
  });

  it("is refused, with a reason in the log, while API_KEY_SECRET is not set", async () => {
    const { key } = await createTeam();
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    const { status } = await request("GET", "/v1/api-key", bearer(key), appWith({ API_KEY_SECRET: undefined }));
    expect(status).toBe(401);
    expect(lines.mock.calls.flat().join()).toContain("API_KEY_SECRET");
  });

  it("names its team only with the secret that signed it", async () => {
    const key = await newKey("a-team-1", "one");
    expect(await teamOfKey(key, "one")).toBe("a-team-1");
    expect(await teamOfKey(key, "two")).toBeUndefined();
  });
});

describe("the admin", () => {
  const team = { id: "acme", name: "Acme" };

  it("creates a team once", async () => {
    expect(await admin("POST", "/admin/teams", team)).toMatchObject({ status: 201, json: { success: true, ...team } });
    expect(await admin("POST", "/admin/teams", { ...team, name: "Other" })).toMatchObject({
      status: 409,
      json: { code: "team_exists" },
    });
  });

  it.each([
    [{ name: "x" }],
    [{ id: "Acme", name: "x" }],
    [{ id: "a".repeat(33), name: "x" }],
    [{ id: "a", name: " " }],
    [{ id: "refused", name: "x", samples: "yes" }],
  ])("refuses %j and creates no object", async (body) => {
    const before = await objects();
    expect(await admin("POST", "/admin/teams", body)).toMatchObject({ status: 400, json: { success: false } });
    expect(await objects()).toBe(before);
  });

  it("creates no key for a team that does not exist, and stores nothing", async () => {
    expect(await admin("POST", "/admin/teams/ghost/keys", { name: "x" })).toMatchObject({
      status: 404,
      json: { code: "not_found" },
    });
    expect(await admin("POST", "/admin/teams/No!/keys", { name: "x" })).toMatchObject({ status: 400 });
    const ghost = bindings.WORKSPACE.getByName("ghost");
    const tables = await runInDurableObject(ghost, (_, state) => [
      ...state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'"),
    ]);
    expect(tables).toEqual([]);
    expect((await createTeam({ id: "ghost" })).key).toMatch(/^ms_ghost_/);
  });

  it("needs ADMIN_TOKEN as the bearer", async () => {
    const before = await objects();
    const sent = (token?: string) => ({
      body: { id: "nobody", name: "x" },
      ...(token === undefined ? {} : bearer(token)),
    });
    for (const token of [undefined, "wrong", `${bindings.ADMIN_TOKEN}x`]) {
      const { status } = await request("POST", "/admin/teams", sent(token));
      expect(status).toBe(401);
    }
    for (const ADMIN_TOKEN of [undefined, ""]) {
      const app = appWith({ ADMIN_TOKEN });
      for (const token of ["", "undefined", bindings.ADMIN_TOKEN]) {
        expect((await request("POST", "/admin/teams", sent(token), app)).status).toBe(401);
      }
    }
    expect(await objects()).toBe(before);
  });

  it("cannot create a key without API_KEY_SECRET", async () => {
    await createTeam();
    const sent = { body: { name: "x" }, ...bearer(bindings.ADMIN_TOKEN) };
    const { status } = await request("POST", "/admin/teams/acme/keys", sent, appWith({ API_KEY_SECRET: "" }));
    expect(status).toBe(500);
  });
});

describe("every answer", () => {
  it("carries an x-request-id of its own and no CORS header", async () => {
    const { key } = await createTeam();
    const answers = [
      await request("GET", "/health"),
      await request("GET", "/v1/api-key", bearer(key)),
      await request("GET", "/v1/api-key"),
      await request("GET", "/nowhere"),
      await request("OPTIONS", "/v1/contacts/create", { headers: { Origin: "https://example.com" } }),
      await request("GET", "/inbox"),
      await request("GET", "/inbox/none"),
      await request("POST", "/admin/teams", { body: {} }),
    ];
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{20}$/);
    expect(new Set(ids).size).toBe(answers.length);
    for (const { headers } of answers) expect([...headers.keys()].join()).not.toMatch(/access-control/);
  });

  it.each([
    ["GET", "/v1/contacts/create", 405, "POST"],
    ["POST", "/v1/contacts/find", 405, "GET"],
    ["DELETE", "/v1/transactional", 405, "POST, GET"],
    ["OPTIONS", "/v1/events/send", 405, "POST"],
    ["OPTIONS", "/elsewhere", 405, "GET, POST, PUT, DELETE"],
    ["POST", "/health", 405, "GET"],
    ["POST", "/inbox", 405, "GET"],
    ["DELETE", "/inbox/snd_1", 405, "GET"],
    ["GET", "/v1/contacts", 404, null],
    ["GET", "/v1", 404, null],
    ["GET", "/", 404, null],
  ])("to %s %s is %i", async (method, path, status, allow) => {
    const answer = await request(method, path);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([status, allow]);
    expect(answer.json).toMatchObject({ success: false, message: expect.any(String) });
    expect(answer.json.code).toBe(status === 405 ? "method_not_allowed" : "not_found");
  });

  it("to an internal error is 500 without details", async () => {
    const team = await createTeam();
    vi.spyOn(console, "log").mockImplementation(() => {});
    const broken = {
      ...bindings,
      WORKSPACE: { getByName: () => ({ call: () => Promise.reject(new Error("secret detail")) }) },
    };
    const app = createApp(broken as never);
    const thrown = await request("GET", "/v1/api-key", bearer(team.key), app);
    await team.run("DROP TABLE contacts");
    const failed = await team.get("/contacts/find?userId=u1");
    for (const answer of [thrown, failed]) {
      expect([answer.status, answer.json.code]).toEqual([500, "internal_error"]);
      expect(answer.text).not.toMatch(/secret|contacts|SQL/);
      expect(answer.headers.get("x-request-id")).not.toBeNull();
    }
  });
});

describe("GET /health", () => {
  it("says that no mail leaves while the inbox is the sender, or there is none", async () => {
    const { status, json } = await request("GET", "/health");
    expect([status, json]).toEqual([
      200,
      {
        status: "degraded",
        message: "degraded: no mail leaves",
        reasons: ["no mail leaves: the local inbox (INBOX=1) is the only sender"],
      },
    ]);
    const off = (await request("GET", "/health", {}, appWith({ INBOX: undefined, API_KEY_SECRET: "" }))).json;
    expect(off.message).toBe("degraded: no mail leaves");
    expect(off.reasons).toEqual([expect.stringContaining("no sender"), expect.stringContaining("API_KEY_SECRET")]);
  });
});
