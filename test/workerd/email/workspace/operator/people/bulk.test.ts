import { beforeEach, describe, expect, it } from "vitest";
import { FILL } from "../../../../../../bench/fill.ts";
import { CHANGED, COUNTED, changeContacts } from "../../../../../../src/email/workspace/operator/people/bulk.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";
import { addWebhook, delivered, receive } from "../../webhooks/receiver.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

type Answer = {
  contacts: number;
  changed: number;
  unchanged: { reason: string; count: number }[];
  next: string | null;
  searchedTo: string | null;
};
const bulk = async (fields: object): Promise<Answer> => {
  const { status, json, text } = await team.admin("POST", "/contacts/bulk", fields);
  expect(status, text).toBe(200);
  return json;
};
const refused = async (fields: object) => {
  const { status, json } = await team.admin("POST", "/contacts/bulk", fields);
  return [status, json.code, json.path];
};
const all = async (fields: object) => {
  const sum = { contacts: 0, changed: 0, slices: 0 };
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { contacts, changed, next } = await bulk(cursor === undefined ? fields : { ...fields, cursor });
    sum.contacts += contacts;
    sum.changed += changed;
    sum.slices += 1;
    cursor = next;
  }
  return sum;
};
const at = (name: string) => `${name}@example.com`;
const add = async (name: string, fields: object = {}) =>
  (await team.post("/contacts/create", { email: at(name), ...fields })).json.id as string;
const addList = async (of = team) => (await of.admin("POST", "/lists", { name: "News" })).json.id as string;

describe("an act on many contacts", () => {
  it("adds them to a list, except those that have left it, and takes them off", async () => {
    const list = await addList();
    const [ada, bob, cy] = [await add("ada"), await add("bob", { mailingLists: { [list]: true } }), await add("cy")];
    await team.put("/contacts/update", { email: at("cy"), mailingLists: { [list]: true } });
    await team.put("/contacts/update", { email: at("cy"), mailingLists: { [list]: false } });
    const fields = { action: "addToList", mailingListId: list, ids: [ada, bob, cy, "con_none", ada] };
    const expected = {
      action: "addToList",
      contacts: 3,
      changed: 1,
      next: null,
      searchedTo: null,
      unchanged: [
        { reason: "There is no contact with this id.", count: 1 },
        { reason: "It is on the list already.", count: 1 },
        { reason: "It has left the list, and only its own request puts it back.", count: 1 },
      ],
    };
    const before = await team.everything();
    expect(await bulk({ ...fields, dryRun: true })).toEqual({ ...expected, dryRun: true });
    expect(await team.everything()).toBe(before);
    expect(await bulk(fields)).toEqual({ ...expected, dryRun: false });
    const members = async () =>
      (await team.rows(`SELECT email FROM contacts WHERE data -> '$.mailingLists.${list}' IS NOT NULL ORDER BY n`)).map(
        ({ email }) => email,
      );
    expect(await members()).toEqual([at("ada"), at("bob")]);
    const leave = await bulk({ action: "removeFromList", mailingListId: list, ids: [ada, cy] });
    expect(leave).toMatchObject({ changed: 1, unchanged: [{ reason: "It is not on the list.", count: 1 }] });
    expect(await members()).toEqual([at("bob")]);
    expect(await bulk({ action: "addToList", mailingListId: list, ids: [ada] })).toMatchObject({ changed: 0 });
  });

  it("unsubscribes, suppresses and deletes those of a search, and reports it", async () => {
    const { received } = receive();
    await addWebhook(team);
    await add("ada");
    await add("adam", { subscribed: false });
    await team.put("/contacts/update", { userId: "ad-no-address" });
    await add("bob");
    expect(await bulk({ action: "unsubscribe", q: "ad" })).toMatchObject({
      contacts: 3,
      changed: 2,
      unchanged: [{ reason: "It is unsubscribed already.", count: 1 }],
    });
    await team.admin("POST", "/suppressions", { email: at("ada") });
    expect(await bulk({ action: "suppress", subscribed: false })).toMatchObject({
      contacts: 3,
      changed: 1,
      unchanged: expect.arrayContaining([
        { reason: "Its address is suppressed already.", count: 1 },
        { reason: "It has no address.", count: 1 },
      ]),
    });
    expect(await team.rows("SELECT email_key FROM suppressions")).toHaveLength(2);
    expect(await bulk({ action: "delete", suppressed: true })).toMatchObject({ contacts: 2, changed: 2 });
    await delivered(team);
    const reported = received.map(({ body }) => body.eventName);
    expect(reported.filter((name) => name === "contact.unsubscribed")).toHaveLength(2);
    expect(reported.filter((name) => name === "contact.deleted")).toHaveLength(2);
    expect(await bulk({ action: "delete", all: true, dryRun: true })).toMatchObject({ contacts: 2, changed: 2 });
    expect(await team.rows("SELECT count(*) AS contacts FROM contacts")).toEqual([{ contacts: 2 }]);
    expect(await team.find({ email: at("bob") })).toMatchObject({ subscribed: true });
  });

  it("takes segments and filters, and goes on by slices whose contacts leave the search", async () => {
    await team.inside((sql) => {
      sql.exec(FILL, 0, 2 * CHANGED + 9);
    });
    const conditions = [{ type: "property", key: "subscribed", operator: "isTrue" }];
    const filter = { match: "all", conditions };
    const { json: segment } = await team.post("/audience-segments", { name: "All", filter });
    const fields = { action: "unsubscribe", segmentId: segment.id, filter, subscribed: true };
    const [{ on } = { on: 0 }] = (await team.rows(
      "SELECT count(*) AS \"on\" FROM contacts WHERE data ->> '$.subscribed' = 1",
    )) as { on: number }[];
    expect(on).toBeGreaterThan(CHANGED);
    expect(await all({ ...fields, dryRun: true })).toMatchObject({ contacts: on, changed: on });
    expect(await all(fields)).toEqual({ contacts: on, changed: on, slices: Math.ceil(on / CHANGED) });
    expect(await all(fields)).toMatchObject({ contacts: 0, changed: 0 });
    expect(await all({ action: "delete", q: "person" })).toMatchObject({ changed: 2 * CHANGED + 10 });
    expect(await team.rows("SELECT 1 FROM contacts")).toEqual([]);
  });

  it("starts no workflow and asks nobody to confirm", async () => {
    await team.admin("POST", "", { doubleOptIn: true });
    const list = await addList();
    const ada = await add("ada");
    const { length: mails } = await team.rows("SELECT 1 FROM sends");
    await bulk({ action: "addToList", mailingListId: list, ids: [ada] });
    expect(await team.rows("SELECT 1 FROM sends")).toHaveLength(mails);
    expect(await team.rows("SELECT 1 FROM runs")).toEqual([]);
  });

  it("is refused where it does not say clearly which contacts and which list", async () => {
    const list = await addList();
    const other = await createTeam({ id: "other" });
    const theirs = await addList(other);
    const { json: contact } = await other.post("/contacts/create", { email: at("eve") });
    const invalid = (path: string) => [400, "invalid_request", path];
    expect(await refused({ action: "delete" })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", q: " " })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", ids: ["con_1"], all: true })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", ids: ["con_1"], subscribed: true })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", ids: [] })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", ids: Array(201).fill("con_1") })).toEqual(invalid("ids"));
    expect(await refused({ action: "delete", all: false })).toEqual(invalid("all"));
    expect(await refused({ action: "delete", q: "a", cursor: "x" })).toEqual(invalid("cursor"));
    expect(await refused({ action: "remove", all: true })).toEqual(invalid("action"));
    expect(await refused({ action: "addToList", all: true })).toEqual(invalid("mailingListId"));
    expect(await refused({ action: "delete", all: true, mailingListId: list })).toEqual(invalid("mailingListId"));
    expect((await refused({ action: "delete", ids: ["con_1"], dry: true }))[0]).toBe(400);
    const missing = [404, "mailing_list_not_found", "mailingListId"];
    expect(await refused({ action: "addToList", all: true, mailingListId: theirs })).toEqual(missing);
    expect(await refused({ action: "delete", segmentId: "seg_none" })).toEqual([404, "segment_not_found", "segmentId"]);
    await team.admin("POST", `/lists/${list}`, { isArchived: true });
    expect(await refused({ action: "addToList", all: true, mailingListId: list })).toEqual([
      400,
      "mailing_list_archived",
      "mailingListId",
    ]);
    expect(await bulk({ action: "removeFromList", all: true, mailingListId: list })).toMatchObject({ changed: 0 });
    expect(await bulk({ action: "delete", ids: [contact.id] })).toMatchObject({ changed: 0, contacts: 0 });
    expect(await other.find({ email: at("eve") })).toMatchObject({ id: contact.id });
  });

  it("reads and changes a bounded number of contacts in one request", async () => {
    await team.inside((sql) => {
      sql.exec(FILL, 0, 30_000);
    });
    const read = await team.inside((real) => {
      const { sql, take } = counted(real);
      const ask = (fields: object) => {
        const answer = changeContacts(contextOf(sql), {
          team: "acme",
          action: "unsubscribe",
          dryRun: true,
          ...fields,
        } as never);
        return { ...(answer as { body: Answer }).body, ...take() };
      };
      return { dry: ask({ subscribed: true }), real: ask({ subscribed: true, dryRun: false }) };
    });
    expect(read.dry).toMatchObject({ contacts: COUNTED, written: 0, next: expect.any(String) });
    expect(read.dry.read).toBeLessThan(6 * COUNTED);
    expect(read.real.changed).toBe(CHANGED);
    expect(read.real.read).toBeLessThan(20 * CHANGED);
  });
});
