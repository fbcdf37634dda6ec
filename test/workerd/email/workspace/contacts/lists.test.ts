import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const create = async (fields: object) => (await team.admin("POST", "/lists", fields)).json;
const news = { name: "News", description: "Once a month", visibility: "public" };

describe("a mailing list", () => {
  it("is created by the operator and read by the team, oldest first", async () => {
    const first = await create(news);
    expect(first).toEqual({
      id: expect.stringMatching(/^lst_[0-9a-z]{20}$/),
      ...news,
      isPublic: true,
      isArchived: false,
    });
    advance(1);
    const second = await create({ name: "Beta" });
    expect(second).toMatchObject({ name: "Beta", description: "", visibility: "private", isPublic: false });
    const { status, json } = await team.get("/lists");
    expect(status).toBe(200);
    expect(json).toEqual([first, second]);
    expect((await team.admin("GET", "/lists")).json.data).toEqual(json);
  });

  it("does not exist in a new team", async () => {
    expect((await team.get("/lists")).json).toEqual([]);
  });

  it("changes only in the fields of the request", async () => {
    const { id } = await create(news);
    const changed = await team.admin("POST", `/lists/${id}`, { name: "Letter", visibility: "private" });
    expect(changed.json).toEqual({
      id,
      ...news,
      name: "Letter",
      visibility: "private",
      isPublic: false,
      isArchived: false,
    });
    expect((await team.get("/lists")).json).toEqual([changed.json]);
  });

  it.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: "x", visibility: "secret" }, "visibility"],
    [{ name: "x", description: "x".repeat(501) }, "description"],
  ])("is not created from %j", async (fields, path) => {
    const { status, json } = await team.admin("POST", "/lists", fields);
    expect([status, json.path]).toEqual([400, path]);
    expect((await team.get("/lists")).json).toEqual([]);
  });

  it("cannot be changed if it does not exist, or by an empty request", async () => {
    const { id } = await create(news);
    expect((await team.admin("POST", "/lists/lst_x", { name: "x" })).json).toMatchObject({
      code: "not_found",
      path: "listId",
    });
    for (const fields of [{}, { isArchived: "yes" }]) {
      expect((await team.admin("POST", `/lists/${id}`, fields)).status).toBe(400);
    }
  });
});

describe("an archived list", () => {
  let id: string;
  beforeEach(async () => {
    id = (await create(news)).id;
    await team.put("/contacts/update", { userId: "u1", mailingLists: { [id]: true } });
    expect((await team.admin("POST", `/lists/${id}`, { isArchived: true })).json.isArchived).toBe(true);
  });

  it("stays readable, and so do its members", async () => {
    expect((await team.get("/lists")).json).toMatchObject([{ id, isArchived: true }]);
    expect((await team.find({ userId: "u1" })).mailingLists).toEqual({ [id]: true });
  });

  it.each([
    ["POST", "/contacts/create", { email: "new@example.com" }],
    ["PUT", "/contacts/update", { userId: "u1" }],
    ["POST", "/events/send", { userId: "u2", eventName: "seen" }],
  ] as const)("takes no new member: %s %s", async (method, path, body) => {
    const before = await team.everything();
    const sent = { ...body, mailingLists: { [id]: true } };
    const { status, json } = await (method === "PUT" ? team.put(path, sent) : team.post(path, sent));
    expect([status, json.code, json.path]).toEqual([400, "mailing_list_archived", `mailingLists.${id}`]);
    expect(await team.everything()).toBe(before);
  });

  it("lets its members unsubscribe", async () => {
    expect((await team.put("/contacts/update", { userId: "u1", mailingLists: { [id]: false } })).status).toBe(200);
    expect((await team.find({ userId: "u1" })).mailingLists).toEqual({});
  });

  it("can be reopened, and until then keeps its time of archiving", async () => {
    const [before] = await team.rows("SELECT archived_at FROM mailing_lists");
    await team.get("/lists");
    await team.admin("POST", `/lists/${id}`, { isArchived: true, name: "Old news" });
    expect(await team.rows("SELECT archived_at FROM mailing_lists")).toEqual([before]);
    await team.admin("POST", `/lists/${id}`, { isArchived: false });
    expect((await team.put("/contacts/update", { userId: "u2", mailingLists: { [id]: true } })).status).toBe(200);
  });
});

it("deleting a contact deletes its events and memberships", async () => {
  const { id } = await create(news);
  const empty = await team.everything();
  const event = { email: "gone@example.com", userId: "u-gone", eventName: "bought", mailingLists: { [id]: true } };
  await team.post("/events/send", { ...event, eventProperties: { secret: "s3cret" } });
  const full = await team.everything();
  for (const trace of ["gone@example.com", "u-gone", "INSERT INTO events "]) expect(full).toContain(trace);
  await team.post("/contacts/delete", { userId: "u-gone" });
  // The row number stays, so that no other contact gets it.
  expect(await team.rows("SELECT last_contact FROM team")).toEqual([{ last_contact: 1 }]);
  await team.run("UPDATE team SET last_contact = 0");
  // The event's name and property types stay: they belong to the team, not to the person.
  const withoutPattern = (await team.everything()).split("\n").filter((line) => !/INTO event_patterns/.test(line));
  expect(withoutPattern.join("\n")).toBe(empty);
});
