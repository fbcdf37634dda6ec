import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { INBOX_NAME } from "../../../../../src/email/types/inbox-rpc.ts";
import { chores as campaignChores } from "../../../../../src/email/workspace/campaigns/chores.ts";
import { chores as importChores } from "../../../../../src/email/workspace/imports/chores.ts";
import { chores as keyChores } from "../../../../../src/email/workspace/team/known-keys.ts";
import { setStatus } from "../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { advance, bindings, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { fillTo } from "./filled.ts";

isolated();

const DAY = 86_400_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const count = async (table: string) => Number((await team.rows(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
/** Inserts `rows` rows; `i` is their number from 1. */
const fill = (rows: number, insert: string) =>
  team.run(`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${rows}) ${insert}`);
const run = (chores: typeof importChores, times = 1) =>
  team.inside(async (sql) => {
    for (let n = 0; n < times; n++) for (const chore of chores) await chore.run(sql, Date.now(), 500);
    return Math.min(...chores.map((chore) => chore.next(sql)));
  });

describe("an import", () => {
  const add = (state: string, finished: number) =>
    team.run(
      "INSERT INTO imports (n, id, name, state, form, columns, created_at, finished_at) VALUES (1, 'imp_1', 'x', ?, '{}', '[]', 1, ?)",
      state,
      finished,
    );

  it("ends after 30 days, its outcomes in slices before it", async () => {
    await add("done", Date.now() - 31 * DAY);
    await fill(120, "INSERT INTO import_outcomes (import, k, lines) SELECT 1, i, 'x' FROM c");
    const seen = [];
    for (let n = 0; n < 3; n++) {
      await run(importChores);
      seen.push([await count("import_outcomes"), await count("imports")]);
    }
    expect(seen).toEqual([
      [70, 1],
      [20, 1],
      [0, 0],
    ]);
  });

  it("forgets what a dry run has seen, also after a cancellation for its age", async () => {
    await add("cancelled", Date.now());
    await fill(10_050, "INSERT INTO import_seen (import, identifier) SELECT 1, 'email ' || i FROM c");
    expect(await run(importChores)).toBeLessThanOrEqual(Date.now());
    expect(await count("import_seen")).toBe(50);
    await run(importChores);
    expect(await count("import_seen")).toBe(0);
    expect(await count("imports")).toBe(1);
  });

  it("refuses a dry run that would take the rest of the last one for its own", async () => {
    await add("ready", Date.now());
    await fill(3, "INSERT INTO import_seen (import, identifier) SELECT 1, 'email ' || i FROM c");
    const { status, json } = await team.admin("POST", "/imports/imp_1/start", { mapping: {}, dryRun: true });
    expect([status, json.code]).toEqual([409, "import_not_ready"]);
  });
});

it("outgoing events go after 4 days above 85 %, except from one that is still to be delivered", async () => {
  await team.run(
    `INSERT INTO webhook_endpoints (n, id, url, description, events, secret, failures, resume_at, created_at, disabled_reason)
     VALUES (1, 'whe_1', 'https://example.com', '', '[]', 'x', 0, 0, 1, 'manual')`,
  );
  const add = (n: number, days: number, due: number | null) =>
    team.inside((sql) => {
      const at = Date.now() - days * DAY;
      sql.exec("INSERT INTO webhook_events (n, id, type, created_at) VALUES (?1, 'evt_' || ?1, 'x', ?2)", n, at);
      sql.exec(
        `INSERT INTO webhook_notifications (endpoint, event, state, attempts, due, queued_at, log)
         VALUES (1, ?1, iif(?2 IS NULL, 'delivered', 'waiting'), 1, ?2, 1, '[]')`,
        n,
        due,
      );
    });
  for (const [n, days] of [
    [1, 20],
    [2, 5],
    [4, 5],
    [5, 3],
  ] as const)
    await add(n, days, null);
  await add(3, 5, Date.now() + DAY);
  const ring = async () => {
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
    return (await team.rows("SELECT event FROM webhook_notifications ORDER BY event")).map(({ event }) => event);
  };
  await fillTo(team, 0.8);
  expect(await ring()).toEqual([1, 2, 3, 4, 5]);
  await fillTo(team, 0.86);
  expect(await ring()).toEqual([3, 4, 5]);
  await team.run("UPDATE webhook_notifications SET due = NULL, state = 'delivered'");
  expect(await ring()).toEqual([5]);
  expect(await team.rows("SELECT n FROM webhook_events")).toEqual([{ n: 5 }]);
});

it("recipients are listed for a year after the end of their campaign; figures stay, and others too", async () => {
  for (const [name, finished] of [
    ["old", Date.now() - 366 * DAY],
    ["new", Date.now() - 364 * DAY],
    ["open", null],
  ] as const) {
    const { json } = await team.post("/campaigns", { name });
    advance(1_100);
    await team.run(
      "UPDATE campaigns SET status = iif(?1 IS NULL, 'Sending', 'Sent'), state = iif(?1 IS NULL, 'paused', 'done'), finished_at = ?1, recipients = 1200 WHERE id = ?2",
      finished,
      json.id,
    );
  }
  await fill(1_200, "INSERT INTO recipients (campaign, contact, state) SELECT n, i, 'sent' FROM c, campaigns");
  const left = () =>
    team.rows(
      "SELECT name, recipients, (SELECT count(*) FROM recipients WHERE campaign = n) AS listed FROM campaigns ORDER BY n",
    );
  await run(campaignChores);
  expect((await left())[0]).toEqual({ name: "old", recipients: 1_200, listed: 700 });
  const next = await run(campaignChores, 3);
  expect((await left()).map(({ listed }) => listed)).toEqual([0, 1_200, 1_200]);
  expect(next).toBe(Date.now() + DAY);
  expect((await left())[0]?.recipients).toBe(1_200);
});

it("a revoked key is listed for 90 days, a used one for ever", async () => {
  const { json } = await team.admin("POST", "/keys", { name: "old" });
  await team.admin("DELETE", `/keys/${json.id}`);
  advance(89 * DAY);
  await run(keyChores);
  expect(await count("api_keys")).toBe(2);
  advance(2 * DAY);
  await runAlarm(team.stub);
  expect(await team.rows("SELECT name FROM api_keys")).toEqual([{ name: "test" }]);
});

describe("what a program may make without a person has a largest number", () => {
  it("API keys: 1 000", async () => {
    await fill(998, "INSERT INTO api_keys (hash, id, name, created_at) SELECT 'h' || i, 'key_' || i, 'x', 1 FROM c");
    expect((await team.admin("POST", "/keys", { name: "x" })).status).toBe(201);
    const { status, json } = await team.admin("POST", "/keys", { name: "x" });
    expect([status, json.code]).toEqual([400, "too_many_keys"]);
  });

  it("mailing lists: 1 000", async () => {
    await fill(
      1_000,
      "INSERT INTO mailing_lists (id, name, description, visibility, created_at) SELECT 'l' || i, 'x', '', 'public', 1 FROM c",
    );
    const { status, json } = await team.admin("POST", "/lists", { name: "x" });
    expect([status, json.code]).toEqual([400, "too_many_lists"]);
  });

  it("names of events: 10 000; a known one passes", async () => {
    await fill(
      10_000,
      "INSERT INTO event_patterns (id, name, types, created_at) SELECT 'evp_' || i, 'e' || i, '{}', 1 FROM c",
    );
    const send = (eventName: string) => team.post("/events/send", { email: "a@example.com", eventName });
    const { status, json } = await send("order_10001");
    expect([status, json.code, json.path]).toEqual([400, "too_many_event_patterns", "eventName"]);
    expect(await count("contacts")).toBe(0);
    expect((await send("e7")).status).toBe(200);
  });

  it("changes of a workflow's status: the last 1 000", async () => {
    await fill(1_200, "INSERT INTO workflow_status_changes (workflow, at, status) SELECT 1, i, 'Paused' FROM c");
    await team.inside((sql) => {
      setStatus({ sql, now: 2_000 }, { n: 1, revision: "rev_1" }, "Paused");
    });
    expect(
      await team.rows("SELECT count(*) AS n, min(at) AS first, max(at) AS last FROM workflow_status_changes"),
    ).toEqual([{ n: 1_000, first: 202, last: 2_000 }]);
  });
});

it("the local inbox keeps less than 200 MB, the newest mail always", async () => {
  const stub = bindings.INBOX_STORE.getByName(INBOX_NAME);
  const mail = {
    id: "newest",
    team: "acme",
    from: { address: "a@example.com" },
    to: [],
    bcc: [],
    cc: [],
    replyTo: [],
    subject: "s",
    html: "",
    text: "",
    attachments: [],
    headers: [],
  };
  await runInDurableObject(stub, (_: Inbox, { storage: { sql } }) => {
    sql.exec(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 150)
       INSERT INTO mails (id, mail, at) SELECT 'm' || i, hex(zeroblob(700000)), i FROM c`,
    );
    expect(sql.databaseSize).toBeGreaterThan(200_000_000);
  });
  for (const id of ["a", "b", "newest"]) await stub.capture({ ...mail, id } as never);
  await runInDurableObject(stub, (_: Inbox, { storage: { sql } }) => {
    expect(sql.databaseSize).toBeLessThan(200_000_000);
    expect(sql.exec("SELECT id FROM mails ORDER BY n DESC LIMIT 1").one().id).toBe("newest");
    expect(sql.exec("SELECT count(*) AS n FROM mails").one().n).toBe(143);
  });
});
