import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { adminRoutes } from "../../../../src/email/http/admin/routes.ts";
import { createApp } from "../../../../src/email/http/app.ts";
import { Directory } from "../../../../src/email/objects/directory.ts";
import { finderOf } from "../../../../src/lib/contract/match.ts";
import { admin, advance, app, bindings, createTeam, dump, isolated, request, START } from "../bench.ts";

isolated();

const TOKEN = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
const directory = () => bindings.DIRECTORY.getByName("directory");
const inDirectory = <T>(work: (storage: DurableObjectStorage) => T) =>
  runInDurableObject(directory(), (_, { storage }) => work(storage));

type Entry = { id: string; who: string; from: string; operation: string; ids: object; status: number };
const read = async (query = ""): Promise<Entry[]> => (await admin("GET", `/admin/audit${query}`)).json.data;
const names = async (query = "") => (await read(query)).map(({ operation }) => operation);
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  request(method, path, { body, headers: { ...TOKEN, ...headers } });

/** A team, without the acts that made it. */
const newTeam = async () => {
  const team = await createTeam();
  await inDirectory(({ sql }) => sql.exec("DELETE FROM audit").rowsWritten);
  return team;
};

describe("the audit of the email Worker", () => {
  it("has a name for every route under /admin that changes something", () => {
    const find = finderOf(adminRoutes);
    const routes = app.routes.filter(
      ({ method, path }) => path.startsWith("/admin/") && !["ALL", "GET", "OPTIONS"].includes(method),
    );
    expect(routes.length).toBeGreaterThan(90);
    for (const { method, path } of routes) {
      const example = path.replace("/admin", "").replaceAll(/:\w+/g, "one");
      expect([method, path, find(method, example)?.operation.method]).toEqual([method, path, method]);
    }
  });

  it("has who did what, from where, on what and with which outcome, newest first", async () => {
    await newTeam();
    const from = { "CF-Connecting-IP": "192.0.2.7" };
    const { json } = await ask("POST", "/admin/teams/acme/keys", { name: "first" }, from);
    advance(1_000);
    const byPerson = { ...from, "X-Mailspan-Actor": "łukasz@example.com", "X-Mailspan-Actor-Address": "198.51.100.4" };
    await ask("DELETE", `/admin/teams/acme/keys/${json.id}`, undefined, byPerson);
    await ask("DELETE", "/admin/teams/acme/keys/key_none", undefined, byPerson);
    await ask("POST", "/admin/teams/acme/v1/contacts/create", { email: "ada@example.com" }, byPerson);
    await ask("POST", "/admin/teams/acme/imports?name=a.csv", "email\nada@example.com\n", {
      "Content-Type": "text/csv",
    });
    const person = { who: "łukasz@example.com", from: "198.51.100.4", at: new Date(START + 1_000).toISOString() };
    expect(await read()).toMatchObject([
      {
        operation: "email.imports.upload",
        summary: "Upload a CSV file for an import",
        who: "token",
        from: "local",
        ids: { team: "acme" },
        status: 201,
      },
      { ...person, operation: "email.v1.contacts.create", ids: { team: "acme" }, status: 200 },
      { ...person, operation: "email.keys.revoke", ids: { team: "acme", keyId: "key_none" }, status: 404 },
      { ...person, operation: "email.keys.revoke", ids: { team: "acme", keyId: json.id }, status: 200 },
      { operation: "email.keys.create", who: "token", from: "192.0.2.7", ids: { team: "acme" }, status: 201 },
    ]);
    expect(await names("?who=TOKEN&from=192.0.2.7")).toEqual(["email.keys.create"]);
    expect(await names("?operation=email.v1.")).toEqual(["email.v1.contacts.create"]);
    expect(await names(`?until=${encodeURIComponent(new Date(START + 1).toISOString())}`)).toHaveLength(1);
    expect((await admin("GET", "/admin/audit?since=soon")).json).toMatchObject({ path: "since" });
  });

  it("has no read, no question, no dry run and nothing that no route takes", async () => {
    const team = await newTeam();
    await admin("GET", "/admin/teams/acme");
    await admin("POST", "/admin/teams/acme/erase", { emails: ["ada@example.com"], dryRun: true });
    await admin("POST", "/admin/teams/acme/audience/estimate", {});
    for (const [method, path] of [
      ["PATCH", "/admin/teams/acme"],
      ["POST", "/admin/nothing"],
      ["DELETE", "/admin/teams/acme/overview"],
    ] as const)
      expect([404, 405]).toContain((await ask(method, path)).status);
    await team.post("/contacts/create", { email: "ada@example.com" });
    expect(await names()).toEqual([]);
  });

  it("has nothing without the token, whatever the headers name", async () => {
    const team = await newTeam();
    const claimed = { "X-Mailspan-Actor": "eve" };
    const wrong = { Authorization: "Bearer a-wrong-token-of-some-length", ...claimed };
    expect((await request("POST", "/admin/teams/acme/keys", { body: { name: "x" }, headers: wrong })).status).toBe(401);
    const own = { Authorization: `Bearer ${team.key}`, ...claimed };
    const body = { email: "ada@example.com" };
    expect((await request("POST", "/v1/contacts/create", { body, headers: own })).status).toBe(200);
    expect(await read("?who=eve")).toEqual([]);
  });

  it("has no body, no query and no address of a person", async () => {
    await newTeam();
    await admin("POST", "/admin/teams/acme/erase", { emails: ["ada@example.com"], dryRun: false });
    await admin("DELETE", "/admin/teams/acme/suppressions?email=ada%40example.com");
    await admin("DELETE", "/admin/teams/acme/keys/ada%40example.com");
    await admin("POST", "/admin/teams/acme/keys", { name: "the secret name" });
    expect(await names()).toHaveLength(4);
    expect((await read("?operation=email.keys.revoke"))[0]?.ids).toEqual({ team: "acme", keyId: "(address)" });
    const kept = await inDirectory(({ sql }) => dump(sql));
    expect(kept).not.toMatch(/ada@|ada%40|secret name/);
  });

  it("is kept 90 days, and a minute's look at the teams ends the oldest", async () => {
    await newTeam();
    for (let n = 0; n < 120; n++) await admin("POST", "/admin/teams", { id: "acme", name: "Acme" });
    advance(89 * 86_400_000);
    await admin("POST", "/admin/teams/acme", { name: "Other" });
    await directory().toTouch(Date.now(), 1);
    const count = () => inDirectory(({ sql }) => sql.exec<{ n: number }>("SELECT count(*) AS n FROM audit").one().n);
    expect(await count()).toBe(121);
    advance(86_400_000);
    expect(await names()).toEqual(["email.teams.update"]);
    await directory().toTouch(Date.now(), 1);
    expect(await count()).toBe(21);
    await directory().toTouch(Date.now(), 1);
    expect(await count()).toBe(1);
  });

  it("has the newest 100,000 at most", async () => {
    await inDirectory(({ sql }) => {
      for (const n of [1, 2, 100_000])
        sql.exec("INSERT INTO audit (n, at, who, operation, ids, status) VALUES (?, ?, 'a', 'b', '{}', 200)", n, START);
    });
    await admin("POST", "/admin/teams", { id: "acme", name: "Acme" });
    expect((await read()).map(({ id }) => id)).toEqual(["100001", "100000", "2"]);
  });

  it("is read in pages", async () => {
    await newTeam();
    for (let n = 0; n < 60; n++) await admin("POST", "/admin/teams/acme", { name: `Acme ${n}` });
    const pages: number[] = [];
    const seen = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json } = await admin("GET", `/admin/audit?operation=email.teams.update&cursor=${cursor}`);
      pages.push(json.data.length);
      for (const { id } of json.data) seen.add(id);
      cursor = json.next;
    }
    expect([pages, seen.size]).toEqual([[50, 10], 60]);
  });

  it("tries a second time, has the act once, and without any answer says so in the log: the act is done", async () => {
    await newTeam();
    const note = Directory.prototype.noteAct;
    vi.spyOn(Directory.prototype, "noteAct").mockImplementationOnce(async function (this: Directory, ...given) {
      await note.apply(this, given);
      throw new Error("lost answer");
    });
    await admin("POST", "/admin/teams/acme", { name: "One" });
    expect(await names()).toEqual(["email.teams.update"]);
    const said = vi.spyOn(console, "log").mockImplementation(() => {});
    vi.spyOn(Directory.prototype, "noteAct").mockRejectedValue(new Error("down"));
    expect((await admin("POST", "/admin/teams/acme", { name: "Two" })).status).toBe(200);
    expect(said.mock.calls.flat().join()).toContain('"audit_failed"');
  });

  it("has an act that failed here, and one of a client that did not wait", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const broken = { getByName: () => ({ admin: () => Promise.reject(new Error("gone")) }) };
    const kept: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => kept.push(work), passThroughOnException: () => {} };
    const body = JSON.stringify({ id: "acme", name: "Acme" });
    const init = { method: "POST", body, headers: { ...TOKEN, "Content-Type": "application/json" } };
    const given = new Request("http://email/admin/teams", init);
    void createApp({ ...bindings, WORKSPACE: broken } as never).fetch(given, {}, context as never);
    while (kept.length === 0) await Promise.resolve();
    await Promise.all(kept);
    expect(await read()).toMatchObject([{ operation: "email.teams.create", status: 500 }]);
  });
});
