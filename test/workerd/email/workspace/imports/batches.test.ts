import { beforeEach, describe, expect, it, vi } from "vitest";
import { takeImportSlice } from "../../../../../src/email/workspace/imports/slices.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { addWebhook, delivered, receive } from "../webhooks/receiver.ts";
import { file, importFile } from "./bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

const HEAD = "email,userId,firstName\n";
const FAULT = (email: string) =>
  `CREATE TRIGGER fault BEFORE INSERT ON contacts WHEN NEW.email = '${email}' BEGIN SELECT RAISE(ABORT, 'fault'); END`;
const outcomes = (outcome: string) =>
  outcome
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.replace(/^\d+,\d+,/, ""));

describe("rows of one batch", () => {
  it("that are about one person, by any of its identifiers, are taken in their order", async () => {
    await team.post("/contacts/create", { email: "old@example.com", userId: "u-old" });
    await team.post("/contacts/create", { email: "anonymous@example.com" });
    const rows = [
      "new@example.com,,One",
      "NEW@example.com,u-new,",
      ",u-new,Two",
      "old@example.com,,Three",
      ",u-old,Four",
      "old@example.com,u-old,Four",
      "new@example.com,u-old,Five",
      ",u-later,Six",
      "later@example.com,u-later,",
      "later@example.com,,Seven",
      "anonymous@example.com,u-known,",
      ",u-known,Eight",
    ];
    const dry = await importFile(team, HEAD + rows.join("\n"), { dryRun: true });
    const { answer, outcome } = await importFile(team, HEAD + rows.join("\n"));
    expect(dry.answer).toMatchObject({ created: answer.created, refused: answer.refused });
    expect(outcomes(outcome)).toEqual([
      "created,,",
      "updated,,",
      "updated,,",
      "updated,,",
      "updated,,",
      "unchanged,,",
      'refused,,"The address belongs to one contact, and the user id to another one."',
      "created,,",
      "updated,,",
      "updated,,",
      "updated,,",
      "updated,,",
    ]);
    expect(
      await team.rows("SELECT email, user_id, data ->> '$.firstName' AS name FROM contacts ORDER BY user_id"),
    ).toEqual([
      { email: "anonymous@example.com", user_id: "u-known", name: "Eight" },
      { email: "later@example.com", user_id: "u-later", name: "Seven" },
      { email: "new@example.com", user_id: "u-new", name: "Two" },
      { email: "old@example.com", user_id: "u-old", name: "Four" },
    ]);
  });

  it("that leave a list do not let a later row join it again", async () => {
    const { json: list } = await team.admin("POST", "/lists", { name: "News" });
    await team.post("/contacts/create", { email: "ada@example.com", mailingLists: { [list.id]: true } });
    const { outcome } = await importFile(team, "email,News\nada@example.com,no\nada@example.com,yes\n");
    expect(outcomes(outcome)).toEqual([
      "updated,,",
      'unchanged,,"The contact has left a mailing list, and does not join it again."',
    ]);
    expect((await team.find({ email: "ada@example.com" })).mailingLists).toEqual({});
  });

  it("say that an address is suppressed, for known contacts too and for people who were erased", async () => {
    await team.post("/contacts/create", { email: "known@example.com", userId: "u-known" });
    for (const email of ["known@example.com", "erased@example.com"]) {
      await team.admin("POST", "/suppressions", { email });
    }
    const erased = await team.admin("POST", "/erase", { emails: ["erased@example.com"], dryRun: false });
    expect(erased.status).toBe(200);
    const { outcome } = await importFile(
      team,
      `${HEAD}known@example.com,,Ada\n,u-known,Bob\nerased@example.com,,Eve\nfree@example.com,,Zoe\n`,
    );
    const suppressed = "The address is suppressed: no mail is sent to it.";
    expect(outcomes(outcome)).toEqual([
      `updated,,${suppressed}`,
      `updated,,${suppressed}`,
      `created,,${suppressed}`,
      "created,,",
    ]);
  });

  it("are reported to the team's endpoints as requests of the API are", async () => {
    const { received } = receive();
    const { json: list } = await team.admin("POST", "/lists", { name: "News" });
    await team.post("/contacts/create", { email: "old@example.com" });
    await addWebhook(team);
    const rows = "new@example.com,,Ada\nother@example.com,,Bob\nold@example.com,,Eve\nnew@example.com,,Zoe\n";
    await importFile(team, HEAD + rows, { mailingLists: [list.id] });
    await delivered(team);
    const events = received.map(({ body }) => {
      const { eventName, contactIdentity } = body as { eventName: string; contactIdentity: { email: string } };
      return `${contactIdentity.email} ${eventName}`;
    });
    expect(events.toSorted()).toEqual([
      "new@example.com contact.created",
      "new@example.com contact.mailingList.subscribed",
      "old@example.com contact.mailingList.subscribed",
      "other@example.com contact.created",
      "other@example.com contact.mailingList.subscribed",
    ]);
    const created = received.find(({ body }) => body.eventName === "contact.created");
    expect(created?.body.contact).toMatchObject({ email: "new@example.com", firstName: "Ada", source: "Import" });
  });
});

describe("a row that fails here", () => {
  it("leaves nothing twice of the rows around it: no contact, no confirmation mail, no event", async () => {
    const { received } = receive();
    expect((await team.admin("POST", "", { doubleOptIn: true })).status).toBe(200);
    await addWebhook(team);
    await team.run(FAULT("p3@example.com"));
    const body = HEAD + [...Array(6).keys()].map((index) => `p${index}@example.com,u${index},Ada\n`).join("");
    const { answer } = await importFile(team, body);
    expect(answer).toMatchObject({ state: "done", created: 5, refused: 1 });
    await delivered(team);
    expect(received.filter(({ body: { eventName } }) => eventName === "contact.created")).toHaveLength(5);
    const others = ["p0", "p1", "p2", "p4", "p5"].map((name) => `${name}@example.com`);
    expect(await team.rows("SELECT email FROM contacts ORDER BY n")).toEqual(others.map((email) => ({ email })));
    expect(await team.rows("SELECT recipient FROM sends ORDER BY n")).toEqual(
      others.map((recipient) => ({ recipient })),
    );
    await team.run("DROP TRIGGER fault");
  });

  it("leaves no number of a confirmation mail that was rolled back with the rows around it", async () => {
    expect((await team.admin("POST", "", { doubleOptIn: true })).status).toBe(200);
    const body = HEAD + [...Array(4).keys()].map((index) => `p${index}@example.com,u${index},Ada\n`).join("");
    const { id, mapping } = (await file("", body)).json;
    await team.run(
      "CREATE TRIGGER fault BEFORE INSERT ON sends WHEN NEW.recipient = 'p2@example.com' BEGIN SELECT RAISE(ABORT, 'fault'); END",
    );
    expect((await team.admin("POST", `/imports/${id}/start`, { mapping })).status).toBe(200);
    const { kept, sends } = await team.inside((sql, storage) => {
      sql.exec("UPDATE imports SET state = 'running', cursor = 0, created = 0, refused = 0");
      const context = contextOf(sql);
      takeImportSlice(context, { transaction: (work) => storage.transactionSync(work), startRuns: () => {} });
      return { kept: context.after.sends, sends: sql.exec("SELECT n, recipient FROM sends ORDER BY n").toArray() };
    });
    expect(sends.map(({ recipient }) => recipient)).toEqual(["p0", "p1", "p3"].map((name) => `${name}@example.com`));
    expect(kept).toEqual(sends.map(({ n }) => n));
    await team.run("DROP TRIGGER fault");
  });
});
