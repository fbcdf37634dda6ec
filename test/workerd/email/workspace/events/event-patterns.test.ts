import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const learn = (eventName: string, eventProperties: object = {}) =>
  team.post("/events/send", { userId: "u1", eventName, eventProperties });
const byName = (name: string) => team.get(`/event-patterns/by-name/${encodeURIComponent(name)}`);

describe("an event pattern", () => {
  it("is found by id and by name, with the properties its events had", async () => {
    await learn("paid", { amount: 5, note: null });
    await learn("paid", { note: "hi", at: "2027-01-31", gift: true, amount: "five" });
    const { status, json } = await byName("paid");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: expect.stringMatching(/^evp_/),
      eventName: "paid",
      incomingWebhookPlatform: null,
    });
    expect(new Map(json.eventProperties.map(Object.values))).toEqual(
      new Map([
        ["amount", "number"],
        ["note", "string"],
        ["at", "date"],
        ["gift", "boolean"],
      ]),
    );
    expect((await team.get(`/event-patterns/${json.id}`)).json).toEqual(json);
    const { eventProperties: _properties, ...summary } = json;
    expect((await team.get("/event-patterns")).json.data).toEqual([summary]);
  });

  it.each(["Signed up!", "a/b", "a%2Fb", "100%", "a?b#c", "ärger 🎉", "a+b c", "by-name", "%", "a\\b", "..x", "a;b=c"])(
    "is found by its exact name: %s",
    async (name) => {
      await learn(name);
      await learn("other");
      expect((await byName(name)).json.eventName).toBe(name);
    },
  );

  it("is case-sensitive, and its id is not its name", async () => {
    await learn("paid");
    const { id } = (await byName("paid")).json;
    for (const { status, json } of [
      await byName("Paid"),
      await byName(id),
      await byName("pai"),
      await byName("pai%"),
    ]) {
      expect([status, json.code, json.path]).toEqual([404, "event_pattern_not_found", "eventName"]);
    }
    const { status, json } = await team.get("/event-patterns/paid");
    expect([status, json.code, json.path]).toEqual([404, "event_pattern_not_found", "eventPatternId"]);
  });

  it("is refused for more than 100 characters", async () => {
    const long = "x".repeat(101);
    expect((await byName(long)).json).toMatchObject({ code: "invalid_request", path: "eventName" });
    expect((await team.get(`/event-patterns/${long}`)).json).toMatchObject({ path: "eventPatternId" });
    await learn("x".repeat(100));
    expect((await byName("x".repeat(100))).status).toBe(200);
  });
});
