import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { admin, advance, bindings, createTeam, dump, isolated, request, type Team } from "../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const V1 = "/admin/teams/acme/v1";
const asOperator = (method: string, path: string, body?: unknown, headers = {}) =>
  request(method, V1 + path, { body, headers: { Authorization: `Bearer ${bindings.ADMIN_TOKEN}`, ...headers } });

describe("the v1 API for the operator", () => {
  it("gives the answers that an API key of the team gets", async () => {
    const created = await asOperator("POST", "/contacts/create", { email: "ada@example.com" });
    expect([created.status, created.json]).toEqual([200, { success: true, id: expect.any(String) }]);
    const path = "/contacts/find?email=ada@example.com";
    const answers = [await asOperator("GET", path), await team.get(path)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.json).toEqual(answers[1]?.json);
    const again = await asOperator("POST", "/contacts/create", { email: "ada@example.com" });
    expect([again.status, again.json.code, again.json.path]).toEqual([409, "contact_exists", "email"]);
  });

  it("takes the admin token only", async () => {
    for (const [authorization, code] of [
      [undefined, "missing_api_key"],
      ["Bearer x", "invalid_api_key"],
      [`Bearer ${team.key}`, "invalid_api_key"],
    ] as const) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const { status, json } = await request("GET", `${V1}/api-key`, { headers });
      expect([status, json.code]).toEqual([401, code]);
    }
  });

  it("is 404 for a team that does not exist, and creates nothing", async () => {
    const { status, json } = await admin("POST", "/admin/teams/ghost/v1/contacts/create", { email: "a@example.com" });
    expect([status, json.code, json.path]).toEqual([404, "not_found", "team"]);
    const stub = bindings.WORKSPACE.getByName("ghost");
    expect(await runInDurableObject(stub, (_, { storage }) => dump(storage.sql))).toBe("\n");
    const slug = await admin("GET", "/admin/teams/No!/v1/api-key");
    expect([slug.status, slug.json.code, slug.json.path]).toEqual([400, "invalid_request", "team"]);
    const encoded = await admin("GET", "/admin/teams/acme%2fv1/v1/api-key");
    expect([encoded.status, encoded.json.path]).toEqual([400, "team"]);
  });

  it("reaches one team only", async () => {
    const other = await createTeam({ id: "other" });
    await other.post("/contacts/create", { email: "eve@example.com" });
    expect((await asOperator("GET", "/contacts/find?email=eve@example.com")).json).toEqual([]);
  });

  it("has no other paths and methods", async () => {
    expect((await asOperator("GET", "/nothing")).json).toMatchObject({ success: false, code: "not_found" });
    const { status, headers } = await asOperator("PATCH", "/api-key");
    expect([status, headers.get("Allow")]).toEqual([405, "GET"]);
  });

  it("honors an idempotency key", async () => {
    const event = { email: "ada@example.com", eventName: "signedUp" };
    const send = () => asOperator("POST", "/events/send", event, { "Idempotency-Key": "k" });
    expect((await send()).status).toBe(200);
    const again = await send();
    expect([again.status, again.json.code]).toEqual([409, "idempotency_key_used"]);
    expect(await team.rows("SELECT n FROM events")).toHaveLength(1);
  });

  it("has a limit of 50 requests per second, apart from that of the team", async () => {
    for (let n = 49; n >= 0; n--) {
      const { status, headers } = await asOperator("GET", "/transactional-emails");
      const { "x-ratelimit-limit": limit, "x-ratelimit-remaining": left } = Object.fromEntries(headers);
      expect([status, limit, left]).toEqual([200, "50", `${n}`]);
    }
    const over = await asOperator("GET", "/api-key");
    expect([over.status, over.json.code, over.headers.get("Retry-After")]).toEqual([429, "rate_limited", "1"]);
    expect(over.json.message).toContain("operator's limit of 50");
    for (let n = 9; n >= 0; n--) {
      const { status, headers } = await team.send("GET", "/api-key");
      expect([status, headers.get("x-ratelimit-remaining")]).toEqual([200, `${n}`]);
    }
    expect((await team.send("GET", "/api-key")).json.message).toContain("team's limit of 10");
    expect((await admin("GET", "/admin/teams/acme")).status).toBe(200);
    advance(1_000);
    expect((await asOperator("GET", "/api-key")).status).toBe(200);
  });

  it("signs the address of an upload", async () => {
    const { status, json } = await asOperator("POST", "/uploads", { contentType: "image/png", contentLength: 100 });
    const signed = expect.stringMatching(/^http:\/\/localhost\/uploads\/.+&signature=[\w-]{22}$/);
    expect([status, json.presignedUrl]).toEqual([200, signed]);
  });
});
