import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

describe.each([
  { path: "/campaign-groups", field: "campaignGroupId" },
  { path: "/transactional-groups", field: "transactionalGroupId" },
  { path: "/workflow-groups", field: "workflowGroupId" },
])("$path", ({ path, field }) => {
  beforeEach(() => team.run("DELETE FROM content_groups WHERE reserved = 1"));

  it("creates, shows, changes and lists groups, newest first", async () => {
    const created = await team.post(path, { name: "Billing" });
    expect([created.status, created.json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^grp_[0-9a-z]{20}$/),
        name: "Billing",
        description: "",
        createdAt: expect.any(String),
        updatedAt: created.json.createdAt,
      },
    ]);
    expect(Date.parse(created.json.createdAt)).toBeGreaterThan(START);
    expect((await team.get(`${path}/${created.json.id}`)).json).toEqual(created.json);

    const changed = await team.post(`${path}/${created.json.id}`, { description: "Receipts" });
    const { updatedAt, ...rest } = created.json;
    expect(changed.json).toEqual({ ...rest, description: "Receipts", updatedAt: expect.any(String) });
    expect(Date.parse(changed.json.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect((await team.get(`${path}/${created.json.id}`)).json).toEqual(changed.json);

    const second = await team.post(path, { name: "Accounts", description: "Sign-in" });
    const { data, pagination } = (await team.get(path)).json;
    expect(data).toEqual([second.json, changed.json]);
    expect(pagination).toMatchObject({ totalResults: 2, nextCursor: null });
  });

  it("keeps what an empty update does not name, and its time", async () => {
    const { json } = await team.post(path, { name: "Billing", description: "Receipts" });
    expect(await team.post(`${path}/${json.id}`, {})).toMatchObject({ status: 200, json });
    expect((await team.post(`${path}/${json.id}`, { description: "" })).json).toMatchObject({
      name: "Billing",
      description: "",
    });
  });

  it("shows pages that do not shift when a group is added", async () => {
    for (let i = 0; i < 12; i++) await team.post(path, { name: `G${i}` });
    const page = (await team.get(`${path}?perPage=10`)).json;
    expect(page.data.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `G${11 - i}`),
    );
    await team.post(path, { name: "new" });
    const next = (await team.get(page.pagination.nextPage.replace("http://localhost/v1", ""))).json;
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(["G1", "G0"]);
  });

  it("refuses bad names, unknown ids and groups of the other kind", async () => {
    const { json } = await team.post(path, { name: "Billing" });
    const before = await team.everything();
    for (const body of [{}, { name: "" }, { name: "  " }, { name: 5 }, { name: "x".repeat(101) }])
      expect((await team.post(path, body)).json).toMatchObject({ code: "invalid_request", path: "name" });
    expect((await team.post(path, { name: "A", description: "x".repeat(501) })).json.path).toBe("description");
    const other = path === "/campaign-groups" ? "/transactional-groups" : "/campaign-groups";
    const otherField = path === "/campaign-groups" ? "transactionalGroupId" : "campaignGroupId";
    expect(await team.get(`${other}/${json.id}`)).toMatchObject({
      status: 404,
      json: { code: "group_not_found", path: otherField },
    });
    expect(await team.post(`${path}/grp_none`, { name: "A" })).toMatchObject({
      status: 404,
      json: { code: "group_not_found", path: field },
    });
    expect(await team.everything()).toBe(before);
  });

  it("creates one group per idempotency key", async () => {
    const key = { "Idempotency-Key": "once" };
    expect((await team.post(path, { name: "Billing" }, key)).status).toBe(200);
    expect((await team.post(path, { name: "Billing" }, key)).json.code).toBe("idempotency_key_used");
    expect((await team.get(path)).json.data).toHaveLength(1);
  });

  it("has at most 1,000 groups", async () => {
    const [, kind = ""] = /^\/(\w+)/.exec(path) ?? [];
    await team.run(
      `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= 1000)
       INSERT INTO content_groups SELECT i, 'grp_' || i, ?, 'G', '', 0, 0, 0 FROM n`,
      kind,
    );
    advance(1_000);
    expect(await team.post(path, { name: "one more" })).toMatchObject({
      status: 400,
      json: { code: "too_many_groups" },
    });
    const other = kind === "campaign" ? "/transactional-groups" : "/campaign-groups";
    expect((await team.post(other, { name: "A" })).status).toBe(200);
  });
});

describe.each([
  { things: "workflows", path: "/workflow-groups", field: "workflowGroupId" },
  { things: "campaigns", path: "/campaign-groups", field: "campaignGroupId" },
])("the group of $things without another group", ({ things, path, field }) => {
  const unsorted = async () => (await team.get(path)).json.data.at(-1);

  it("is there from the start, listed last, and has those that name no group", async () => {
    const group = await unsorted();
    expect(group).toMatchObject({ name: "Unsorted", description: "" });
    expect((await team.get(`${path}/${group.id}`)).json).toEqual(group);
    expect((await team.post(`/${things}`, { name: "A" })).json[field]).toBe(group.id);
  });

  it("cannot be changed, and no other group of them can have its name", async () => {
    const group = await unsorted();
    const { json: other } = await team.post(path, { name: "Onboarding" });
    const before = await team.everything();
    for (const [at, body, named] of [
      [`${path}/${group.id}`, { name: "Mine" }, field],
      [`${path}/${group.id}`, { description: "x" }, field],
      [`${path}/${other.id}`, { name: " unsorted " }, "name"],
      [path, { name: "UNSORTED" }, "name"],
    ] as const) {
      const { status, json } = await team.post(at, body);
      expect([status, json.code, json.path], json.message).toEqual([400, "group_reserved", named]);
      expect(json.message).toContain("Unsorted");
    }
    expect(await team.everything()).toBe(before);
    expect((await team.post("/transactional-groups", { name: "Unsorted" })).status).toBe(200);
  });
});
