import { expect, it, vi } from "vitest";
import { SEARCH_SLICE } from "../../../../../src/email/workspace/core/search-slices.ts";
import { people } from "../../../../../src/email/workspace/requests/erase.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";

isolated();

const ROWS = 3 * SEARCH_SLICE + 1;
const ADA = "ada@example.com";
const input = { team: "acme", emails: [ADA], userIds: [], dryRun: false };

/** Mails to Bob; those of `named` name Ada in their reply. */
const addMails = (sql: SqlStorage, from: number, to: number, named: readonly number[]) =>
  sql.exec(
    `WITH RECURSIVE s(k) AS (SELECT ?1 UNION ALL SELECT k + 1 FROM s WHERE k < ?2)
     INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, settled_at, preview, reply)
     SELECT k, 'snd_' || k, 'transactional', 1, 'bob@example.com', 'bob@example.com', k, 'sent', 1, 1, 1, 0,
       iif(k IN (SELECT value FROM json_each(?3)), '250 for ${ADA}', '250 ok') FROM s`,
    from,
    to,
    JSON.stringify(named),
  );

const addEvents = (sql: SqlStorage, named: number) =>
  sql.exec(
    `WITH RECURSIVE s(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM s WHERE k < ?)
     INSERT INTO webhook_events (n, id, type, created_at, payload) SELECT k, 'evt_' || k, 'email.sent', 1, iif(k = ?, '{"to":"${ADA}"}', '{}') FROM s`,
    ROWS,
    named,
  );

const traces = (team: Team) =>
  team.rows(
    `SELECT n FROM sends WHERE reply LIKE '%ada@%' UNION ALL SELECT n FROM webhook_events WHERE payload LIKE '%ada@%'`,
  );

it("an erasure looks at all mails and outgoing events in slices, so that other requests run between", async () => {
  const team = await createTeam();
  const named = [1, SEARCH_SLICE, SEARCH_SLICE + 1, ROWS];
  await team.inside((sql) => {
    addMails(sql, 1, ROWS, named);
    addEvents(sql, ROWS);
  });
  const cursors: { query: string; cursor: { rowsRead: number } }[] = [];
  const spy = await team.inside((sql) => {
    const shared = Object.getPrototypeOf(sql) as SqlStorage;
    const { exec } = shared;
    return vi.spyOn(shared, "exec").mockImplementation(function (this: SqlStorage, query, ...values) {
      const cursor = exec.call(this, query, ...values);
      cursors.push({ query, cursor });
      return cursor as never;
    });
  });
  const erased = team.admin("POST", "/erase", { emails: [ADA] });
  const other = team.admin("GET", "/keys").then(() => cursors.length);
  expect((await erased).json).toMatchObject({ finished: true, erased: { outgoingWebhooks: 1 } });
  const most = Math.max(...cursors.map(({ cursor }) => cursor.rowsRead));
  expect(await other).toBeLessThan(cursors.length);
  spy.mockRestore();
  // 15 rows each: the mail, and the spellings of the name.
  expect(most).toBeGreaterThan(SEARCH_SLICE);
  expect(most).toBeLessThanOrEqual(15 * SEARCH_SLICE);
  expect(await traces(team)).toEqual([]);
});

it("mails that are accepted after the search are erased too, and so is a contact that got another address", async () => {
  const team = await createTeam();
  await team.post("/contacts/create", { email: ADA, userId: "u1" });
  const { erase } = people;
  if (typeof erase === "function") throw new Error("It has no search.");
  await team.inside(async (sql) => {
    addMails(sql, 1, 10, [3]);
    const act = await erase.prepare(contextOf(sql), { ...input, userIds: ["u1"] }, {} as never);
    addMails(sql, 11, 12, [12]);
    sql.exec("UPDATE sends SET reply = '250 for ada.lovelace@example.org' WHERE n = 5");
    sql.exec(
      "UPDATE contacts SET email = 'ada.lovelace@example.org', email_key = 'ada.lovelace@example.org' WHERE user_id = 'u1'",
    );
    expect(act(contextOf(sql))).toMatchObject({ body: { finished: true, erased: { contacts: 1 } } });
  });
  expect(await team.rows("SELECT n, reply FROM sends WHERE reply LIKE '%ada%'")).toEqual([]);
  expect(await team.rows("SELECT count(*) AS n FROM sends WHERE reply LIKE '%[erased]%'")).toEqual([{ n: 3 }]);
});
