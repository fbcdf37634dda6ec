import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
});

const patterns = () => team.rows("SELECT name, types FROM event_patterns ORDER BY n");

describe("an event", () => {
  it("has an id that no later event gets, even after it was deleted with its contact", async () => {
    const send = async () => (await team.post("/events/send", { userId: "u1", eventName: "x" })).json.id as string;
    const ids = [await send()];
    await team.post("/contacts/delete", { userId: "u1" });
    ids.push(await send(), await send());
    expect(new Set(ids).size).toBe(3);
  });

  it("has at most 200 properties, and its pattern at most 1 000 names: they share a row", async () => {
    const named = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${from + i}`, i]));
    const send = (eventProperties: object) =>
      team.post("/events/send", { userId: "u1", eventName: "wide", eventProperties });
    expect((await send(named(0, 201))).json).toMatchObject({ code: "invalid_request", path: "eventProperties" });
    expect((await send({ ["n".repeat(101)]: 1 })).status).toBe(400);
    for (let n = 0; n < 7; n++) {
      advance(1_000);
      expect((await send(named(n * 200, 200))).status).toBe(200);
    }
    const [{ types } = { types: "" }] = await patterns();
    const names = Object.keys(JSON.parse(String(types)));
    expect([names.length, names[0]]).toEqual([1_000, "p0"]);
  });

  it.each(["\ud800", "a\udc00b"])(
    "is refused with half a surrogate pair in a name or an identifier: %j",
    async (half) => {
      expect((await team.post("/events/send", { userId: "u1", eventName: half })).json.path).toBe("eventName");
      expect((await team.post("/events/send", { userId: half, eventName: "x" })).json.path).toBe("userId");
      expect((await team.post("/events/send", { email: `${half}@example.com`, eventName: "x" })).json.path).toBe(
        "email",
      );
    },
  );

  it("creates its contact when unknown, and is recorded", async () => {
    const { status, json } = await team.post("/events/send", {
      email: "ada@example.com",
      userId: "u1",
      eventName: "Signed up!",
      eventProperties: { plan: "pro", seats: 3 },
    });
    expect([status, json]).toEqual([200, { success: true, id: expect.stringMatching(/^evt_/) }]);
    expect(await team.find({ userId: "u1" })).toMatchObject({
      email: "ada@example.com",
      subscribed: true,
      properties: {},
    });
    expect(
      await team.rows(
        "SELECT p.name, c.user_id, json(e.properties) AS properties FROM events e JOIN event_patterns p ON p.n = e.pattern JOIN contacts c ON c.n = e.contact",
      ),
    ).toEqual([{ name: "Signed up!", user_id: "u1", properties: '{"plan":"pro","seats":3}' }]);
  });

  it("updates its contact from other top-level keys, contactProperties and mailingLists", async () => {
    await team.run(
      "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_news', 'News', '', 'public', 0)",
    );
    await team.post("/contacts/create", { email: "ada@example.com", userId: "u1" });
    await team.post("/events/send", {
      userId: "u1",
      eventName: "paid",
      firstName: "Ada",
      plan: "pro",
      contactProperties: { seats: 3, plan: "pro" },
      mailingLists: { lst_news: true },
      properties: { city: "London" },
      eventProperties: { amount: 5 },
    });
    expect(await team.find({ userId: "u1" })).toMatchObject({
      firstName: "Ada",
      properties: { plan: "pro", seats: 3, city: "London" },
      mailingLists: { lst_news: true },
    });
  });

  it("does not write a contact that it does not change", async () => {
    await team.post("/contacts/create", { email: "ada@example.com" });
    const before = await team.rows("SELECT * FROM contacts");
    await team.post("/events/send", { email: "Ada@example.com".toLowerCase(), eventName: "seen" });
    expect(await team.rows("SELECT * FROM contacts")).toEqual(before);
  });
});

describe("an event pattern", () => {
  it("is created by the first event of a name, and takes each property's type from its first value", async () => {
    await team.post("/events/send", { userId: "u1", eventName: "paid", eventProperties: { amount: 5, note: null } });
    await team.post("/events/send", {
      userId: "u1",
      eventName: "paid",
      eventProperties: { amount: "five", note: "hi", at: "2027-01-31T10:00:00Z", gift: true },
    });
    const [pattern] = await patterns();
    expect(pattern?.name).toBe("paid");
    expect(JSON.parse(String(pattern?.types))).toEqual({
      amount: "number",
      note: "string",
      at: "date",
      gift: "boolean",
    });
  });

  it("is case-sensitive", async () => {
    await team.post("/events/send", { userId: "u1", eventName: "Paid" });
    await team.post("/events/send", { userId: "u1", eventName: "paid" });
    expect(await patterns()).toEqual([
      { name: "Paid", types: "{}" },
      { name: "paid", types: "{}" },
    ]);
  });
});
