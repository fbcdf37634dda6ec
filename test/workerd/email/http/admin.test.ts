import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../../src/email/http/app.ts";
import { Directory } from "../../../../src/email/objects/directory.ts";
import { adminContract } from "../../../../src/lib/contract/admin/email.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { admin, advance, bindings, createTeam, dump, isolated, request, START } from "../bench.ts";
import { toHttp } from "../examples.ts";

isolated();

const objects = async () => (await listDurableObjectIds(bindings.WORKSPACE)).length;
const directory = () => bindings.DIRECTORY.getByName("directory");
const listed = async () => (await admin("GET", "/admin/teams")).json.data;

beforeEach(() =>
  runInDurableObject(directory(), (_, { storage }) => {
    storage.sql.exec("DELETE FROM teams");
  }),
);

describe("teams", () => {
  it("are listed newest first, with their current names", async () => {
    await createTeam({ id: "one", name: "One" });
    advance(1_000);
    await createTeam({ id: "two", name: "Two" });
    const first = { id: "one", name: "One", createdAt: new Date(START).toISOString() };
    const second = { id: "two", name: "Two", createdAt: new Date(START + 1_000).toISOString() };
    expect(await listed()).toEqual([second, first]);
    await admin("POST", "/admin/teams/one", { name: "Uno" });
    expect(await listed()).toEqual([second, { ...first, name: "Uno" }]);
  });

  it("older than the Directory appear after the first admin request for them", async () => {
    const calls: [string, string, unknown][] = [
      ["GET", "/old", undefined],
      ["POST", "/old/keys", { name: "x" }],
      ["GET", "/old/keys", undefined],
      ["POST", "/old/lists", { name: "x" }],
      ["POST", "/old/suppressions", { email: "a@example.com" }],
      ["POST", "", { id: "old", name: "Other" }],
    ];
    await createTeam({ id: "old", name: "Old" });
    for (const [method, path, body] of calls) {
      await runInDurableObject(directory(), (_, state) => {
        state.storage.sql.exec("DELETE FROM teams");
      });
      expect(await listed()).toEqual([]);
      await admin(method, `/admin/teams${path}`, body);
      expect(await listed(), path).toMatchObject([{ id: "old", name: "Old" }]);
    }
  });

  it("are added once: a request for a known team writes only its act to the Directory", async () => {
    await createTeam();
    const look = () => runInDurableObject(directory(), (_, state) => dump(state.storage.sql));
    const before = await look();
    await admin("GET", "/admin/teams/acme");
    await admin("POST", "/admin/teams", { id: "acme", name: "Other" });
    await admin("GET", "/admin/teams/nobody");
    await runInDurableObject(directory(), (_, { storage }) => {
      expect(storage.sql.exec("DELETE FROM audit WHERE n > 2").rowsWritten).toBe(1);
    });
    expect(await look()).toBe(before);
  });

  it("work while the Directory fails, and are added later", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const broken = { getByName: () => ({ register: () => Promise.reject(new Error("down")) }) };
    vi.spyOn(Directory.prototype, "seen").mockRejectedValue(new Error("down"));
    const app = createApp({ ...bindings, DIRECTORY: broken } as never);
    const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
    const body = { id: "acme", name: "Acme" };
    expect((await request("POST", "/admin/teams", { headers, body }, app)).status).toBe(201);
    const { json } = await request("POST", "/admin/teams/acme/keys", { headers, body: { name: "a" } }, app);
    const own = { headers: { Authorization: `Bearer ${json.key}` } };
    expect((await request("GET", "/v1/api-key", own)).status).toBe(200);
    expect(await listed()).toEqual([]);
    await admin("GET", "/admin/teams/acme");
    expect(await listed()).toMatchObject([body]);
  });

  it("have settings that can be changed one by one", async () => {
    const team = await createTeam({ name: "Acme" });
    const createdAt = new Date(START).toISOString();
    const settings = {
      id: "acme",
      name: "Acme",
      createProperties: false,
      attachments: false,
      doubleOptIn: false,
      tracking: true,
      fromName: null,
      fromEmail: null,
      replyToEmail: null,
      noticeEmail: null,
      postalAddress: null,
      footer: null,
      brandColor: null,
      logo: null,
      timeZone: "UTC",
      sendPerSecond: null,
      sendPerHour: null,
      sendPerDay: null,
      createdAt,
    };
    expect((await team.admin("GET", "")).json).toEqual(settings);
    expect((await team.admin("POST", "", { createProperties: true })).json).toEqual({
      ...settings,
      createProperties: true,
    });
    expect((await team.put("/contacts/update", { userId: "u1", fresh: 1 })).status).toBe(200);
    expect((await team.admin("POST", "", { attachments: true })).json).toEqual({
      ...settings,
      createProperties: true,
      attachments: true,
    });
    expect((await team.admin("POST", "", { name: "New" })).json).toEqual({
      ...settings,
      name: "New",
      createProperties: true,
      attachments: true,
    });
    expect((await team.get("/api-key")).json.teamName).toBe("New");
    for (const [body, path] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ createProperties: "yes" }, "createProperties"],
      [{ attachments: "yes" }, "attachments"],
    ]) {
      expect((await team.admin("POST", "", body)).json).toMatchObject({ code: "invalid_request", path });
    }
  });
});

describe("API keys", () => {
  const keys = async () => (await admin("GET", "/admin/teams/acme/keys")).json.data;

  it("are shown once, and later listed only by id and prefix", async () => {
    const team = await createTeam();
    advance(1_000);
    const { status, json } = await admin("POST", "/admin/teams/acme/keys", { name: "second" });
    expect([status, json]).toEqual([
      201,
      { success: true, id: expect.stringMatching(/^key_[0-9a-z]{20}$/), key: expect.stringMatching(/^ms_acme_/) },
    ]);
    const { text, json: list } = await admin("GET", "/admin/teams/acme/keys");
    expect(list.data).toEqual([
      {
        id: json.id,
        prefix: json.key.slice(0, "ms_acme_".length + 6),
        name: "second",
        createdAt: new Date(START + 1_000).toISOString(),
        lastUsedAt: null,
        revokedAt: null,
      },
      expect.objectContaining({ name: "test", prefix: team.key.slice(0, 14) }),
    ]);
    for (const key of [team.key, json.key]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(await digest(key));
    }
  });

  it("have the time of their last use, noted once an hour", async () => {
    const team = await createTeam();
    const lastUsedAt = async () => (await keys())[0].lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await team.get("/api-key");
    const first = new Date(Date.now()).toISOString();
    expect(await lastUsedAt()).toBe(first);
    advance(59 * 60_000);
    await team.get("/api-key");
    expect(await lastUsedAt()).toBe(first);
    advance(60_000);
    await team.get("/api-key");
    expect(await lastUsedAt()).toBe(new Date(Date.now()).toISOString());
    advance(2 * 3_600_000);
    await admin("GET", "/admin/teams/acme/v1/api-key");
    expect(Date.now() - Date.parse(await lastUsedAt())).toBe(2 * 3_600_000);
  });

  it("are refused as soon as they are revoked, and stay listed", async () => {
    const team = await createTeam();
    const other = (await admin("POST", "/admin/teams/acme/keys", { name: "other" })).json;
    const second = { headers: { Authorization: `Bearer ${other.key}` } };
    expect((await request("GET", "/v1/api-key", second)).status).toBe(200);
    expect((await admin("DELETE", `/admin/teams/acme/keys/${other.id}`)).json).toEqual({ success: true });
    expect((await request("GET", "/v1/api-key", second)).json.code).toBe("invalid_api_key");
    expect((await team.get("/api-key")).status).toBe(200);
    const revokedAt = new Date(Date.now() - 100).toISOString();
    expect(await keys()).toContainEqual(expect.objectContaining({ id: other.id, revokedAt }));
    advance(1_000);
    expect((await admin("DELETE", `/admin/teams/acme/keys/${other.id}`)).status).toBe(200);
    expect(await keys()).toContainEqual(expect.objectContaining({ id: other.id, revokedAt }));
  });

  it("cannot be revoked if they do not exist", async () => {
    const team = await createTeam();
    for (const id of ["key_x", await digest(team.key), team.key.slice(0, 14)]) {
      const { status, json } = await admin("DELETE", `/admin/teams/acme/keys/${id}`);
      expect([status, json.code, json.path]).toEqual([404, "not_found", "keyId"]);
    }
    expect((await team.get("/api-key")).status).toBe(200);
  });
});

it("suppressing needs an address", async () => {
  const team = await createTeam();
  for (const body of [{}, { email: "x" }]) {
    expect((await team.admin("POST", "/suppressions", body)).json).toMatchObject({ path: "email" });
  }
  expect(await team.rows("SELECT * FROM suppressions")).toEqual([]);
});

const perTeam = operationsOf(adminContract).filter(({ operation }) => operation.path.includes("{team}"));

describe("each operation on a team", () => {
  const requests = (team: string) =>
    perTeam.map(({ name, operation }) => ({ name, ...toHttp("/admin", operation, { ...operation.example, team }) }));

  it("answers 404 for a team that does not exist, and creates nothing", async () => {
    expect(perTeam.length).toBeGreaterThan(90);
    for (const { name, method, path, body } of requests("ghost")) {
      const { status, json } = await admin(method, path, body);
      expect([status, json.code, json.path], name).toEqual([404, "not_found", "team"]);
      expect(json.message, name).toContain("POST /admin/teams");
    }
    const tables = await runInDurableObject(bindings.WORKSPACE.getByName("ghost"), (_, state) =>
      dump(state.storage.sql),
    );
    expect(tables).toBe("\n");
    expect(await listed()).toEqual([]);
  });

  it("refuses a slug that is not valid, and creates no object", async () => {
    const before = await objects();
    for (const { name, method, path, body } of requests("No!"))
      expect((await admin(method, path, body)).json, name).toMatchObject({ path: "team" });
    expect(await objects()).toBe(before);
  });

  it("takes ADMIN_TOKEN only: no API key, and no token in the URL", async () => {
    const team = await createTeam();
    const before = await team.everything();
    const query = `?token=${bindings.ADMIN_TOKEN}&ADMIN_TOKEN=${bindings.ADMIN_TOKEN}`;
    for (const { name, method, path, body } of requests("acme"))
      for (const headers of [{}, { Authorization: `Bearer ${team.key}` }, { Authorization: "Bearer x" }])
        expect((await request(method, path + query, { body, headers })).status, name).toBe(401);
    expect(await team.everything()).toBe(before);
  });
});

it("wrong tokens of one address raise an alert, and the right one goes on", async () => {
  const headers = { Authorization: "Bearer x", "CF-Connecting-IP": "192.0.2.7" };
  for (let n = 0; n < 20; n++) expect((await request("GET", "/admin/teams", { headers })).status).toBe(401);
  const { json } = await admin("GET", "/admin/alerts");
  expect(json.data).toContainEqual(expect.objectContaining({ kind: "admin.refused", subject: "192.0.2.7" }));
});

it("ADMIN_TOKEN opens nothing of /v1", async () => {
  await createTeam();
  const { status } = await admin("GET", "/v1/api-key");
  expect(status).toBe(401);
});
