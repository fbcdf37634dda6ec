import { beforeEach, describe, expect, it } from "vitest";
import { admin, arranged, createTeam, type Team } from "../../../bench.ts";

const arrangement = arranged(async () => {
  const team = await createTeam();
  const send = (eventName: string, email: string, eventProperties: object) =>
    team.post("/events/send", { email, eventName, eventProperties });
  await send("signedUp", "ada@example.com", { plan: "pro", seats: 3 });
  await send("paid", "ada@example.com", { amount: 12.5 });
  await send("signedUp", "bob@example.com", { plan: "free" });
  return team;
});
let team: Team;
beforeEach(() => {
  team = arrangement();
});

type Event = { id: string; eventName: string; at: string; contact: { email: string } | null; properties: object };
const list = async (query = "") => {
  const { status, json, text } = await team.admin("GET", `/events${query}`);
  expect(status, text).toBe(200);
  return json as { data: Event[]; next: string | null; searchedTo: string | null };
};
const said = ({ data }: { data: Event[] }) => data.map(({ eventName, contact }) => `${eventName} ${contact?.email}`);

describe("the events of a team", () => {
  it("are listed newest first, with what they said and about whom", async () => {
    const found = await list();
    expect(said(found)).toEqual(["signedUp bob@example.com", "paid ada@example.com", "signedUp ada@example.com"]);
    expect(found.data[2]).toEqual({
      id: expect.stringMatching(/^evt_/),
      eventName: "signedUp",
      at: expect.any(String),
      properties: { plan: "pro", seats: 3 },
      contact: { id: expect.stringMatching(/^con_/), email: "ada@example.com", userId: null },
    });
    expect([found.next, found.searchedTo]).toEqual([null, null]);
  });

  it("are found by their name, page by page", async () => {
    const first = await list("?eventName=signedUp&perPage=10");
    expect(said(first)).toEqual(["signedUp bob@example.com", "signedUp ada@example.com"]);
    expect(said(await list("?eventName=nothing"))).toEqual([]);
    for (let n = 0; n < 10; n += 1)
      await team.post("/events/send", { email: "eve@example.com", eventName: "signedUp" });
    const page = await list("?eventName=signedUp&perPage=10");
    expect(page.data).toHaveLength(10);
    expect(said(await list(`?eventName=signedUp&perPage=10&cursor=${page.next}`))).toEqual(said(first));
  });

  it("are refused with a cursor that no list gave, and for a team that is not there", async () => {
    const { status, json } = await team.admin("GET", "/events?cursor=nonsense");
    expect([status, json.path]).toEqual([400, "cursor"]);
    expect((await admin("GET", "/admin/teams/ghost/events")).status).toBe(404);
  });
});

describe("the usage of an event", () => {
  it("names the workflows that it starts", async () => {
    const { json: workflow } = await team.post("/workflows", { name: "Onboarding" });
    await team.post("/workflows", { name: "Other" });
    const trigger = { typeName: "EventTrigger", eventName: "signedUp", reEligible: false };
    await team.run(
      "UPDATE workflows SET graph = json_patch(graph, ?) WHERE id = ?",
      JSON.stringify({ nodes: { [workflow.rootNodeId]: trigger } }),
      workflow.id,
    );
    const { json: patterns } = await team.get("/event-patterns");
    const usage = async (name: string) => {
      const { id } = patterns.data.find((one: { eventName: string }) => one.eventName === name);
      return (await team.admin("GET", `/event-patterns/${id}/usage`)).json;
    };
    expect(await usage("signedUp")).toEqual({
      workflows: [{ id: workflow.id, name: "Onboarding", status: "Draft" }],
    });
    expect(await usage("paid")).toEqual({ workflows: [] });
  });

  it("is refused for a pattern that is not there", async () => {
    const { status, json } = await team.admin("GET", "/event-patterns/evp_none/usage");
    expect([status, json.code]).toEqual([404, "event_pattern_not_found"]);
  });
});
