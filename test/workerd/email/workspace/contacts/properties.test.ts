import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const create = (name: unknown, type: unknown) => team.post("/contacts/properties", { name, type });

it("a team has at most 1 000 contact properties, however they are created", async () => {
  await team.run("UPDATE team SET create_properties = 1");
  await team.run(
    "INSERT INTO properties (name, label, type, created_at) SELECT 'p' || value, 'P', 'string', 1 FROM json_each(?)",
    JSON.stringify(Array.from({ length: 999 }, (_, n) => n)),
  );
  expect((await team.post("/contacts/properties", { name: "last", type: "string" })).status).toBe(200);
  expect((await team.post("/contacts/properties", { name: "more", type: "string" })).json.code).toBe(
    "too_many_properties",
  );
  const { status, json } = await team.put("/contacts/update", { userId: "u1", more: "x" });
  expect([status, json.code, json.path]).toEqual([400, "too_many_properties", "more"]);
  expect(await team.find({ userId: "u1" })).toBeUndefined();
});

describe("a contact property", () => {
  it("is created once, with its type", async () => {
    const { status, json } = await create("planName", "string");
    expect([status, json]).toEqual([200, { success: true }]);
    expect((await team.put("/contacts/update", { userId: "u1", planName: "pro" })).status).toBe(200);
    expect((await team.put("/contacts/update", { userId: "u1", planName: 5 })).json.code).toBe("wrong_property_type");
    for (const type of ["string", "number"]) {
      const again = await create("planName", type);
      expect([again.status, again.json.code, again.json.path]).toEqual([400, "property_exists", "name"]);
      expect(again.json.message).toContain("exists, as string");
    }
  });

  it.each(["A", "a b", "a_b", "1a", "ä", "", "a".repeat(81), "email", "mailingLists", "properties", "userId", 5, null])(
    "is never named %j",
    async (name) => {
      const before = await team.everything();
      expect((await create(name, "string")).json).toMatchObject({ code: "invalid_request", path: "name" });
      expect(await team.everything()).toBe(before);
    },
  );

  it.each(["text", "String", "", null, 1])("never has the type %j", async (type) => {
    expect((await create("plan", type)).json).toMatchObject({ code: "invalid_request", path: "type" });
  });

  it("may have a name of 80 characters", async () => {
    expect((await create("a".repeat(80), "date")).status).toBe(200);
  });

  it("is created once per Idempotency-Key, and a refusal does not take the key", async () => {
    const key = { "Idempotency-Key": "k" };
    expect((await team.post("/contacts/properties", { name: "A", type: "string" }, key)).status).toBe(400);
    expect((await team.post("/contacts/properties", { name: "a", type: "string" }, key)).status).toBe(200);
    expect((await team.post("/contacts/properties", { name: "b", type: "string" }, key)).status).toBe(409);
    expect((await team.get("/contacts/properties?list=custom")).json).toHaveLength(1);
  });
});

describe("the list", () => {
  beforeEach(async () => {
    await create("zebraCount", "number");
    await create("bornAt", "date");
  });
  const custom = [
    { name: "zebraCount", key: "zebraCount", label: "Zebra count", type: "number" },
    { name: "bornAt", key: "bornAt", label: "Born at", type: "date" },
  ];

  it("of custom properties is in order of creation", async () => {
    expect((await team.get("/contacts/properties?list=custom")).json).toEqual(custom);
  });

  it.each(["", "?list=all"])("of all properties has the standard ones first: %j", async (query) => {
    const { status, json } = await team.get(`/contacts/properties${query}`);
    expect(status).toBe(200);
    expect(json.slice(-2)).toEqual(custom);
    const standard = json.slice(0, -2);
    expect(standard.map(({ key, type }: { key: string; type: string }) => `${key} ${type}`)).toEqual([
      "email string",
      "firstName string",
      "lastName string",
      "source string",
      "subscribed boolean",
      "userGroup string",
      "userId string",
      "optInStatus string",
      "createdAt date",
      "updatedAt date",
    ]);
    for (const item of standard) expect(item).toMatchObject({ name: item.key, label: expect.stringMatching(/^[A-Z]/) });
  });

  it.each(["standard", "ALL", "all,custom"])("of %j is refused", async (list) => {
    const { status, json } = await team.get(`/contacts/properties?${new URLSearchParams({ list })}`);
    expect([status, json.path]).toEqual([400, "list"]);
    expect(json.message).toContain('"all" or "custom"');
  });
});
