import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

const email = "ada@example.com";
const userId = "u1";
let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
  await team.run(
    `INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES
       ('lst_news', 'News', '', 'public', 0), ('lst_beta', 'Beta', '', 'private', 0)`,
  );
});

describe("a contact without a userId and one without an email", () => {
  it.each([
    ["an update", "/contacts/update", {}],
    ["an event", "/events/send", { eventName: "met" }],
  ])("become one by %s that names both", async (_, path, more) => {
    const older = (
      await team.put("/contacts/update", {
        email,
        firstName: "Ada",
        source: "import",
        plan: "free",
        subscribed: false,
        mailingLists: { lst_news: true },
      })
    ).json.id;
    await team.post("/events/send", { email, eventName: "asked" });
    await team.put("/contacts/update", { userId, lastName: "Lovelace", plan: "pro", mailingLists: { lst_beta: true } });
    await team.post("/events/send", { userId, eventName: "paid" });

    const { status, json } = await (path === "/events/send" ? team.post : team.put)(path, { email, userId, ...more });
    expect([status, json.success]).toEqual([200, true]);
    const found = await team.find({ userId });
    expect(found).toEqual(await team.find({ email }));
    expect(found).toMatchObject({
      id: older,
      email,
      userId,
      firstName: "Ada",
      lastName: "Lovelace",
      source: "import",
      subscribed: false,
      properties: { plan: "pro" },
      mailingLists: { lst_news: true, lst_beta: true },
    });
    expect(await team.rows("SELECT n FROM contacts")).toHaveLength(1);
    const events = await team.rows(
      "SELECT p.name FROM events e JOIN event_patterns p ON p.n = e.pattern JOIN contacts c ON c.n = e.contact ORDER BY e.n",
    );
    expect(events.map(({ name }) => name)).toEqual(
      path === "/events/send" ? ["asked", "paid", "met"] : ["asked", "paid"],
    );
  });

  it("keep a value that the newer one has as an empty text", async () => {
    await team.put("/contacts/update", { email, firstName: "Ada", userGroup: "staff", plan: "pro" });
    await team.put("/contacts/update", { userId, firstName: "", userGroup: "", plan: "", note: "" });
    await team.put("/contacts/update", { email, userId });
    expect(await team.find({ email })).toMatchObject({
      userId,
      firstName: "Ada",
      userGroup: "staff",
      properties: { plan: "pro", note: "" },
    });
  });

  it("become the one with the email, also when it is newer, and the request's own values are written over both", async () => {
    await team.put("/contacts/update", { userId, plan: "pro", seats: 3 });
    const named = (await team.put("/contacts/update", { email, plan: "free" })).json.id;
    const { json } = await team.put("/contacts/update", { email, userId, seats: 4, subscribed: true });
    expect(json.id).toBe(named);
    expect(await team.find({ email })).toMatchObject({
      userId,
      subscribed: true,
      properties: { plan: "free", seats: 4 },
    });
  });

  it("are named by every table that keeps contacts, so a new one is not erased here", async () => {
    const tables = await team.rows(
      "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name IN ('contact', 'contact_id') WHERE m.type = 'table' ORDER BY 1",
    );
    // run_purge has the position of the purge of runs.
    const kept = tables.map(({ name }) => name).filter((name) => name !== "run_purge");
    expect(kept).toEqual(["engagement", "events", "left_lists", "recipients", "runs", "sends", "webhook_events"]);
  });

  it("keep their passages through workflows, each with a number of its own", async () => {
    await team.put("/contacts/update", { email });
    await team.put("/contacts/update", { userId });
    const [mail = { n: 0 }, user = { n: 0 }] = await team.rows("SELECT n FROM contacts ORDER BY n");
    for (const [contact, workflow, seq] of [
      [mail.n, 7, 1],
      [user.n, 7, 1],
      [user.n, 7, 2],
      [user.n, 8, 1],
    ]) {
      await team.run(
        "INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path) VALUES (?, ?, ?, 1, 0, 5, 0, '[]')",
        contact ?? 0,
        workflow ?? 0,
        seq ?? 0,
      );
    }
    await team.put("/contacts/update", { email, userId });
    const rows = await team.rows("SELECT contact, workflow, seq FROM runs ORDER BY workflow, seq");
    expect(rows.map(({ workflow, seq }) => [workflow, seq])).toEqual([
      [7, 1],
      [7, 2],
      [7, 3],
      [8, 1],
    ]);
    expect(new Set(rows.map(({ contact }) => contact)).size).toBe(1);
    await team.post("/contacts/delete", { email });
    expect(await team.rows("SELECT * FROM runs")).toEqual([]);
  });
});

it.each([
  ["the email's contact has another userId", { email, userId: "u2" }, { userId }],
  ["the userId's contact has another email", { email }, { userId, email: "bo@example.com" }],
])("two contacts stay two, and the request is refused: %s", async (_, one, two) => {
  await team.put("/contacts/update", one);
  await team.put("/contacts/update", two);
  const before = await team.everything();
  for (const answer of [
    await team.put("/contacts/update", { email, userId }),
    await team.post("/events/send", { email, userId, eventName: "x" }),
  ]) {
    expect([answer.status, answer.json.code, answer.json.path]).toEqual([400, "contact_conflict", "email"]);
  }
  expect(await team.everything()).toBe(before);
});
