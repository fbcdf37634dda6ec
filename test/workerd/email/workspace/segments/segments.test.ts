import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/properties", { name: "plan", type: "string" });
  await team.post("/contacts/properties", { name: "seats", type: "number" });
});

const PATH = "/audience-segments";
const plan = { type: "property", key: "plan", operator: "equals", value: "pro" };
const filterOf = (...conditions: object[]) => ({ match: "all", conditions });
const segment = { name: "Pro", filter: filterOf(plan) };

describe("audience segments", () => {
  it("say where the ends of between belong", async () => {
    const ends = { from: "2026-01-01", to: "P0D" };
    const condition = { type: "property", key: "createdAt", operator: "between", ...ends };
    const { status, json } = await team.post(PATH, { ...segment, filter: filterOf(condition) });
    expect([status, json.path]).toEqual([400, "filter.conditions.0.from"]);
    expect(json.message).toContain('between takes "value": { "from": …, "to": … }');
    const unknown = { type: "property", key: "createdAt", operator: "after", value: "P0D", too: 1 };
    expect((await team.post(PATH, { ...segment, filter: filterOf(unknown) })).json.message).toBe(
      "filter.conditions.0.too: is not a field of this request",
    );
  });

  it("are created, shown and listed, newest first, exactly as they were sent", async () => {
    const conditions = [
      { type: "property", key: "seats", operator: "greaterThan", value: "5.0" },
      { type: "property", key: "createdAt", operator: "between", value: { from: "2026-01-01", to: "P0D" } },
      { type: "optIn", status: null },
    ];
    const created = await team.post(PATH, {
      name: "  Big teams ",
      description: "Since 2026",
      filter: filterOf(...conditions),
    });
    expect([created.status, created.json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^seg_[0-9a-z]{20}$/),
        name: "Big teams",
        description: "Since 2026",
        createdAt: expect.any(String),
        updatedAt: created.json.createdAt,
        filter: filterOf(...conditions),
      },
    ]);
    expect(Date.parse(created.json.createdAt)).toBeGreaterThanOrEqual(START);
    expect((await team.get(`${PATH}/${created.json.id}`)).json).toEqual(created.json);
    const second = await team.post(PATH, segment);
    expect(second.json.description).toBeNull();
    const { data, pagination } = (await team.get(PATH)).json;
    expect(data).toEqual([second.json, created.json]);
    expect(pagination).toMatchObject({ totalResults: 2, nextCursor: null });
  });

  it("take null for no description, and drop a value that an operator ignores", async () => {
    const ignored = { type: "property", key: "subscribed", operator: "isTrue" };
    const { json } = await team.post(PATH, {
      name: "A",
      description: null,
      filter: filterOf({ ...ignored, value: true }),
    });
    expect(json).toMatchObject({ description: null, filter: filterOf(ignored) });
  });

  it("have pages that do not shift when a segment is added", async () => {
    for (let i = 0; i < 12; i++) await team.post(PATH, { ...segment, name: `S${i}` });
    advance(1_000);
    const first = (await team.get(`${PATH}?perPage=10`)).json;
    await team.post(PATH, { ...segment, name: "new" });
    const next = (await team.get(first.pagination.nextPage.replace("http://localhost/v1", ""))).json;
    expect(next.data.map(({ name }: { name: string }) => name)).toEqual(["S1", "S0"]);
    expect(await team.get(`${PATH}?cursor=x`)).toMatchObject({ status: 400, json: { path: "cursor" } });
  });

  it.each([
    [{ ...segment, name: " " }, "invalid_request", "name"],
    [{ ...segment, name: "x".repeat(256) }, "invalid_request", "name"],
    [{ filter: segment.filter }, "invalid_request", "name"],
    [{ ...segment, description: "x".repeat(1_001) }, "invalid_request", "description"],
    [{ ...segment, color: "red" }, "invalid_request", "color"],
    [{ name: "A" }, "invalid_request", "filter"],
    [{ name: "A", filter: null }, "invalid_request", "filter"],
    [{ name: "A", filter: { match: "all", conditions: [] } }, "invalid_request", "filter.conditions"],
    [{ name: "A", filter: { ...filterOf(plan), not: true } }, "invalid_request", "filter.not"],
    [
      { name: "A", filter: filterOf(plan, { type: "event", name: "x" }) },
      "invalid_request",
      "filter.conditions.1.type",
    ],
    [
      { name: "A", filter: filterOf({ ...plan, operator: "equal" }) },
      "invalid_request",
      "filter.conditions.0.operator",
    ],
    [
      { name: "A", filter: filterOf({ ...plan, operator: "lessThan" }) },
      "invalid_filter",
      "filter.conditions.0.operator",
    ],
    [{ name: "A", filter: filterOf(plan, { ...plan, value: 5 }) }, "invalid_filter", "filter.conditions.1.value"],
    [{ name: "A", filter: filterOf({ ...plan, key: "plam" }) }, "unknown_property", "filter.conditions.0.key"],
    [
      { name: "A", filter: filterOf(...Array.from({ length: 51 }, () => plan)) },
      "too_many_conditions",
      "filter.conditions",
    ],
  ])("refuse %j: %s at %s", async (body, code, path) => {
    const before = await team.everything();
    const { status, json } = await team.post(PATH, body);
    expect({ status, json }).toEqual({
      status: 400,
      json: { success: false, code, path, message: expect.stringMatching(/\w/) },
    });
    expect(await team.everything()).toBe(before);
  });

  it.each([
    ["campaign", "campaign_not_found"],
    ["workflow", "workflow_not_found"],
    ["workflowEmail", "email_message_not_found"],
  ])("are 404 when a condition names a %s that does not exist", async (target, code) => {
    const activity = { type: "activity", action: "opened", negate: true, target, id: "x_1" };
    const { status, json } = await team.post(PATH, { name: "A", filter: filterOf(plan, activity) });
    expect([status, json]).toMatchObject([404, { code, path: "filter.conditions.1.id" }]);
  });

  it("have names of their own, in any case", async () => {
    const { id } = (await team.post(PATH, { ...segment, name: "Élan" })).json;
    const { status, json } = await team.post(PATH, { ...segment, name: "E\u0301LAN " });
    expect([status, json]).toMatchObject([400, { code: "segment_name_taken", path: "name" }]);
    expect(json.message).toContain(id);
  });

  it("are 404 for an unknown id, and for another team's", async () => {
    const { id } = (await team.post(PATH, segment)).json;
    const other = await createTeam({ id: "globex" });
    for (const answer of [await other.get(`${PATH}/${id}`), await team.get(`${PATH}/seg_none`)])
      expect(answer).toMatchObject({ status: 404, json: { code: "segment_not_found", path: "audienceSegmentId" } });
    expect((await team.get(`${PATH}/${"x".repeat(101)}`)).status).toBe(400);
    expect((await other.get(PATH)).json.data).toEqual([]);
  });

  it("are created once per idempotency key", async () => {
    const key = { "Idempotency-Key": "once" };
    expect((await team.post(PATH, segment, key)).status).toBe(200);
    expect((await team.post(PATH, { ...segment, name: "B" }, key)).json.code).toBe("idempotency_key_used");
    expect((await team.get(PATH)).json.data).toHaveLength(1);
  });

  it("do not count in the content window", async () => {
    const { headers } = await team.get(PATH);
    expect(headers.get("x-ratelimit-limit")).toBe("10");
  });

  it("are at most 1000", async () => {
    await team.run(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000)
       INSERT INTO segments SELECT i, 'seg_' || i, 's' || i, 's' || i, NULL, '{}', 0, 0 FROM c`,
    );
    expect(await team.post(PATH, segment)).toMatchObject({ status: 400, json: { code: "too_many_segments" } });
  });
});

describe("the operator", () => {
  const at = (id: string) => `/audience-segments/${id}`;

  it("changes a segment, and what is left out stays", async () => {
    const { json: before } = await team.post(PATH, { ...segment, description: "All" });
    advance(1_000);
    const changed = await team.admin("POST", at(before.id), { name: "PRO", description: null });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.json).toEqual({ ...before, name: "PRO", description: null, updatedAt: expect.any(String) });
    expect(Date.parse(changed.json.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await team.get(`${PATH}/${before.id}`)).json).toEqual(changed.json);
    const filter = { match: "any", conditions: [plan, { type: "optIn", status: "accepted" }] };
    expect((await team.admin("POST", at(before.id), { filter })).json.filter).toEqual(filter);
    const same = await team.everything();
    expect((await team.admin("POST", at(before.id), { filter })).status).toBe(200);
    expect(await team.everything()).toBe(same);
  });

  it("gets the refusals of a creation", async () => {
    const { id } = (await team.post(PATH, segment)).json;
    await team.post(PATH, { ...segment, name: "Other" });
    const refusals: [body: object, code: string, path: string][] = [
      [{}, "invalid_request", "name"],
      [{ name: "" }, "invalid_request", "name"],
      [{ color: "red" }, "invalid_request", "color"],
      [{ name: "OTHER" }, "segment_name_taken", "name"],
      [{ filter: filterOf({ ...plan, key: "none" }) }, "unknown_property", "filter.conditions.0.key"],
    ];
    for (const [body, code, path] of refusals)
      expect(await team.admin("POST", at(id), body)).toMatchObject({ status: 400, json: { code, path } });
    expect(await team.admin("POST", at("seg_none"), { name: "A" })).toMatchObject({
      status: 404,
      json: { code: "segment_not_found" },
    });
  });

  it("deletes a segment, and then its name is free", async () => {
    const { id } = (await team.post(PATH, segment)).json;
    expect(await team.admin("DELETE", at(id))).toMatchObject({ status: 200, json: { success: true } });
    expect((await team.get(`${PATH}/${id}`)).status).toBe(404);
    expect(await team.admin("DELETE", at(id))).toMatchObject({ status: 404, json: { code: "segment_not_found" } });
    expect((await team.post(PATH, segment)).status).toBe(200);
  });
});
