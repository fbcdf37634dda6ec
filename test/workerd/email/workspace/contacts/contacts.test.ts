import { beforeEach, describe, expect, it } from "vitest";
import { contact } from "../../../../../src/lib/contract/fields.ts";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

const ada = { email: "Ada@Example.com", userId: "u1" };
let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.run(
    `INSERT INTO properties (name, label, type, created_at) VALUES ('plan', 'Plan', 'string', 0), ('seats', 'Seats', 'number', 0),
       ('vip', 'Vip', 'boolean', 0), ('renewsAt', 'Renews at', 'date', 0), ('constructor', 'Constructor', 'string', 0)`,
  );
  await team.run(
    `INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES
       ('lst_news', 'News', '', 'public', 0), ('lst_beta', 'Beta', '', 'private', 0)`,
  );
});

describe("a new contact", () => {
  it("has the defaults, its properties in both places, and the shape of the contract", async () => {
    const { status, json } = await team.post("/contacts/create", {
      ...ada,
      plan: "pro",
      mailingLists: { lst_news: true },
    });
    expect(status).toBe(200);
    expect(json).toEqual({ success: true, id: expect.stringMatching(/^con_[0-9a-z]{20}$/) });

    const found = await team.find({ userId: "u1" });
    const at = new Date(START + 100).toISOString();
    expect(found).toEqual({
      id: json.id,
      ...ada,
      firstName: null,
      lastName: null,
      source: "API",
      subscribed: true,
      userGroup: "",
      optInStatus: null,
      mailingLists: { lst_news: true },
      plan: "pro",
      properties: { plan: "pro" },
      createdAt: at,
      updatedAt: at,
    });
    expect(contact.safeParse(found).success).toBe(true);
  });

  it("is created by an update too, by email or by userId alone", async () => {
    await team.put("/contacts/update", { email: "b@example.com", firstName: "Bo", source: "import", userGroup: "x" });
    await team.put("/contacts/update", { userId: "u9", subscribed: false });
    expect(await team.find({ email: "b@example.com" })).toMatchObject({
      firstName: "Bo",
      source: "import",
      userGroup: "x",
      subscribed: true,
      userId: null,
    });
    expect(await team.find({ userId: "u9" })).toMatchObject({ email: null, subscribed: false });
  });

  it("accepts null for empty fields", async () => {
    await team.post("/contacts/create", {
      email: "c@example.com",
      userId: null,
      firstName: null,
      source: null,
      plan: null,
    });
    expect(await team.find({ email: "c@example.com" })).toMatchObject({
      userId: null,
      firstName: null,
      source: "API",
      properties: {},
    });
  });
});

describe("an email", () => {
  it.each([
    ["ADA@example.COM", "ada@EXAMPLE.com"],
    ["a@münchen.de", "A@xn--mnchen-3ya.de"],
    ["a@MÜNCHEN.de", "a@münchen.de"],
  ])("is one identity in different spellings: %s and %s", async (first, second) => {
    await team.post("/contacts/create", { email: first });
    expect((await team.post("/contacts/create", { email: second })).json.code).toBe("contact_exists");
    expect((await team.find({ email: second })).email).toBe(first);
  });

  it.each([
    ["an update", "/contacts/update", { email: "ada@example.com" }],
    ["an update with the userId", "/contacts/update", { email: "ada@example.com", userId: "u1" }],
    ["an event", "/events/send", { email: "ADA@EXAMPLE.COM", eventName: "seen" }],
  ])("keeps its stored spelling through %s in another one", async (_, path, who) => {
    await team.post("/contacts/create", ada);
    const send = path === "/events/send" ? team.post : team.put;
    expect((await send(path, { ...who, firstName: "Ada" })).status).toBe(200);
    expect(await team.find({ email: "ADA@example.com" })).toMatchObject({ email: ada.email, firstName: "Ada" });
  });
});

describe("an update", () => {
  beforeEach(async () => {
    await team.post("/contacts/create", {
      ...ada,
      firstName: "Ada",
      subscribed: false,
      plan: "pro",
      seats: 3,
      mailingLists: { lst_news: true, lst_beta: true },
    });
  });

  it("keeps fields that it does not mention, and clears fields that are null", async () => {
    advance(5_000);
    await team.put("/contacts/update", {
      userId: "u1",
      plan: null,
      firstName: null,
      mailingLists: { lst_news: false },
    });
    const found = await team.find({ userId: "u1" });
    expect(found).toMatchObject({
      email: ada.email,
      subscribed: false,
      firstName: null,
      properties: { seats: 3 },
      mailingLists: { lst_beta: true },
    });
    expect(found.plan).toBeUndefined();
    expect(Date.parse(found.updatedAt) - Date.parse(found.createdAt)).toBeGreaterThan(5_000);
  });

  it("that changes nothing writes nothing", async () => {
    const before = await team.everything();
    await team.put("/contacts/update", { ...ada, firstName: "Ada", plan: "pro", mailingLists: { lst_news: true } });
    expect(await team.everything()).toBe(before);
  });

  it("matched by userId moves the contact to the new email", async () => {
    await team.put("/contacts/update", { userId: "u1", email: "lovelace@example.com" });
    expect(await team.find({ userId: "u1" })).toMatchObject({ email: "lovelace@example.com", firstName: "Ada" });
    expect(await team.find({ email: ada.email })).toBeUndefined();
    expect((await team.find({ email: "LOVELACE@example.com" })).userId).toBe("u1");
  });

  it("matched by email gives the contact its userId", async () => {
    await team.put("/contacts/update", { email: ada.email, userId: "u2" });
    expect((await team.find({ userId: "u2" })).email).toBe(ada.email);
    expect(await team.find({ userId: "u1" })).toBeUndefined();
  });

  it("is refused if its email and userId belong to two contacts, and both are named", async () => {
    const other = (await team.post("/contacts/create", { email: "b@example.com", userId: "u2" })).json.id;
    const { id } = await team.find({ userId: "u1" });
    const before = await team.everything();
    const { status, json } = await team.put("/contacts/update", { userId: "u1", email: "B@example.com", plan: "free" });
    expect([status, json.code]).toEqual([400, "contact_conflict"]);
    for (const part of ["b@example.com", other, "u1", id]) expect(json.message).toContain(part);
    expect(await team.everything()).toBe(before);
  });
});

describe("custom properties", () => {
  const values = { plan: "pro", seats: 3.5, vip: false, renewsAt: "2027-01-31T10:00:00+02:00", constructor: "x" };
  const stored = { ...values, renewsAt: "2027-01-31T08:00:00.000Z" };

  it.each([
    ["at top level", values],
    ["under properties", { properties: values }],
    ["in both, with equal values", { ...values, properties: values }],
  ])("are read %s", async (_, fields) => {
    await team.put("/contacts/update", { userId: "u1", ...fields });
    const found = await team.find({ userId: "u1" });
    expect(found.properties).toEqual(stored);
    expect(found).toMatchObject(stored);
  });

  it("may include standard fields under properties, as a client of the specification writes them", async () => {
    await team.put("/contacts/update", {
      userId: "u1",
      properties: { firstName: "Ada", subscribed: false, source: null },
    });
    expect(await team.find({ userId: "u1" })).toMatchObject({ firstName: "Ada", subscribed: false, properties: {} });
  });

  it.each([
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2027-01-31T10:00:00", "2027-01-31T10:00:00.000Z"],
    ["2027-01-31T10:00:00.5Z", "2027-01-31T10:00:00.500Z"],
    [1_800_000_000_000, "2027-01-15T08:00:00.000Z"],
    [94_694_400_000, "1973-01-01T00:00:00.000Z"],
    [-1_000_000_000_000, "1938-04-24T22:13:20.000Z"],
  ])("take the date %s as %s", async (renewsAt, iso) => {
    expect((await team.put("/contacts/update", { userId: "u1", renewsAt })).status).toBe(200);
    expect((await team.find({ userId: "u1" })).renewsAt).toBe(iso);
  });

  it.each([
    ["plan", 1],
    ["seats", "3"],
    ["vip", "true"],
    ["vip", 0],
    ["renewsAt", "soon"],
    ["renewsAt", "2027-02-30"],
    ["renewsAt", "2027-13-01T00:00:00Z"],
    ["renewsAt", ""],
    ["renewsAt", 1e17],
    ["renewsAt", true],
  ])("refuse a value of the wrong type: %s = %s", async (name, value) => {
    for (const [path, body] of [
      [name, { [name]: value }],
      [`properties.${name}`, { properties: { [name]: value } }],
    ] as const) {
      const { status, json } = await team.put("/contacts/update", { userId: "u1", ...body });
      expect([status, json.code, json.path]).toEqual([400, "wrong_property_type", path]);
      expect(json.message).toContain(name);
    }
  });

  it.each([0, -1, 86_400])("refuse a number that is a date in no unit that a person means: %d", async (at) => {
    const { status, json } = await team.put("/contacts/update", { userId: "u1", renewsAt: at });
    expect([status, json.code, json.path]).toEqual([400, "wrong_property_type", "renewsAt"]);
    expect(json.message).toBe(
      `renewsAt: ${at} is a date before 1973 or no date. Send milliseconds, or ISO 8601 for a date before 1973.`,
    );
  });

  it.each([1_800_000_000, -864_000_000, 94_694_399_999])(
    "refuse Unix seconds for a date, with the fix: %d",
    async (at) => {
      const { status, json } = await team.put("/contacts/update", { userId: "u1", renewsAt: at });
      expect([status, json.code, json.path]).toEqual([400, "wrong_property_type", "renewsAt"]);
      expect(json.message).toBe(
        `renewsAt: ${at} looks like Unix seconds. Send milliseconds (${at * 1000}), or ISO 8601 for a date before 1973.`,
      );
    },
  );

  it("are refused by name if unknown, unless the team creates them", async () => {
    const body = { userId: "u1", color: "red", size: 4, gift: true, nothing: null };
    expect((await team.put("/contacts/update", body)).json).toMatchObject({ code: "unknown_property", path: "color" });

    await team.run("UPDATE team SET create_properties = 1");
    expect((await team.put("/contacts/update", body)).status).toBe(200);
    expect((await team.find({ userId: "u1" })).properties).toEqual({ color: "red", size: 4, gift: true });
    expect(await team.rows("SELECT name, label, type FROM properties WHERE created_at > 0 ORDER BY name")).toEqual([
      { name: "color", label: "Color", type: "string" },
      { name: "gift", label: "Gift", type: "boolean" },
      { name: "size", label: "Size", type: "number" },
    ]);
    expect((await team.put("/contacts/update", { userId: "u1", size: "4" })).json.code).toBe("wrong_property_type");
  });

  it.each(["Color", "my color", "my_color", "1st", "ünicode", "a".repeat(81), "__proto__"])(
    "are never created with the name %s",
    async (name) => {
      await team.run("UPDATE team SET create_properties = 1");
      const body = `{"userId":"u1","properties":{${JSON.stringify(name)}:"x"}}`;
      const { status, json } = await team.put("/contacts/update", body);
      expect([status, json.code]).toEqual([400, "invalid_request"]);
      expect(await team.rows("SELECT name FROM properties WHERE created_at > 0")).toEqual([]);
    },
  );

  it("may be as long as 80 characters, their values as long as 500", async () => {
    await team.run("UPDATE team SET create_properties = 1");
    const name = "a".repeat(80);
    expect((await team.put("/contacts/update", { userId: "u1", [name]: "x".repeat(500) })).status).toBe(200);
    expect((await team.find({ userId: "u1" }))[name]).toHaveLength(500);
    expect((await team.put("/contacts/update", { userId: "u1", [name]: "x".repeat(501) })).json.path).toBe(name);
  });
});

describe("deleting", () => {
  it.each([{ email: "ada@example.com" }, { userId: "u1" }, { email: "ada@example.com", userId: "" }])(
    "by %j removes the contact and its events, and no others",
    async (who) => {
      await team.post("/contacts/create", ada);
      await team.post("/events/send", { userId: "u1", eventName: "signedUp" });
      await team.post("/events/send", { userId: "u2", eventName: "signedUp" });
      const { status, json } = await team.post("/contacts/delete", who);
      expect([status, json]).toEqual([200, { success: true, message: "Contact deleted." }]);
      expect(await team.rows("SELECT user_id FROM contacts")).toEqual([{ user_id: "u2" }]);
      expect(await team.rows("SELECT contact FROM events")).toEqual([{ contact: 2 }]);
    },
  );
});
