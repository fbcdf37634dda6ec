import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { settle } from "../../../../../../src/email/workspace/sending/claims.ts";
import { expireSends, nextSend } from "../../../../../../src/email/workspace/sending/sends.ts";
import { releaseMail } from "../../../../../../src/email/workspace/sending/waiting-mails.ts";
import { startWorkflow, stopWorkflow } from "../../../../../../src/email/workspace/workflows/runs/control.ts";
import { findWorkflow, type StoredWorkflow } from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../../bench.ts";
import { accept, addMarketingMessage } from "../../../marketing.ts";
import { contextOf } from "../../counted.ts";

isolated();

const DAY = 86_400_000;
const [ADA, BO] = ["ada@example.com", "bo@example.com"];

let team: Team;
let paused: string;
let other: string;
let revision: number;

const control = (id: string, act: typeof startWorkflow) =>
  team.inside((sql) => {
    const context = contextOf(sql);
    act(context, (findWorkflow(context, id) as { workflow: StoredWorkflow }).workflow);
  });

beforeEach(async () => {
  team = await createTeam();
  for (const email of [ADA, BO]) await team.post("/contacts/create", { email });
  paused = (await team.post("/workflows", { name: "Paused" })).json.id;
  other = (await team.post("/workflows", { name: "Other" })).json.id;
  await control(paused, stopWorkflow);
  await control(other, startWorkflow);
  revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
});

const states = () => team.rows("SELECT recipient, state, error FROM sends ORDER BY n");
const alarm = async () => {
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  await runAlarm(team.stub);
};
const held = () =>
  team.inside((sql) => {
    const query = "SELECT count(*) AS held FROM sends WHERE due = (SELECT n FROM workflows WHERE id = ?)";
    return sql.exec<{ held: number }>(query, paused).one().held;
  });

describe("mail of a workflow that is not sending", () => {
  it("is held, also a retry and for longer than a day, says so, asks for no alarm, and leaves after the resume", async () => {
    const { id } = (await accept(team, revision, ADA, { origin: paused, run: 1 })) as { id: string };
    await accept(team, revision, BO, { origin: paused, run: 2 });
    await team.run("UPDATE sends SET attempts = 1, error = 'busy' WHERE run = 2");
    await accept(team, revision, BO, { origin: other, run: 1 });
    await alarm();
    for (const days of [0, 3]) {
      advance(days * DAY);
      await alarm();
      expect((await states()).map(({ state }) => state)).toEqual(["queued", "queued", "sent"]);
      expect(await held()).toBe(2);
      expect(await team.inside((sql) => nextSend(sql, Date.now(), () => 0))).toBe(Number.POSITIVE_INFINITY);
    }
    expect((await team.admin("GET", `/sends/${id}`)).json).toMatchObject({
      state: "queued",
      attempts: 0,
      nextAttemptAt: null,
      meaning: "It is held: its workflow is paused. It is sent after the workflow is resumed.",
    });
    await control(paused, startWorkflow);
    await alarm();
    expect((await states()).map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  });

  it("is retried after a resume that came later than a day: its 24 hours count from the resume", async () => {
    await accept(team, revision, ADA, { origin: paused, run: 1 });
    await alarm();
    advance(3 * DAY);
    await control(paused, startWorkflow);
    const state = await team.inside((sql, storage) => {
      const { n, id } = sql.exec<{ n: number; id: string }>("SELECT n, id FROM workflows WHERE id = ?", paused).one();
      releaseMail(sql, { n, id }, Date.now(), 1);
      sql.exec("UPDATE sends SET state = 'sending', attempts = 1, due = ?", Date.now() + 120_000);
      const mail = sql.exec<{ n: number }>("SELECT n FROM sends").one().n;
      const handover = { outcome: "deferred", message: "421 later", about: "mail" } as const;
      storage.transactionSync(() =>
        settle({ sql, now: Date.now(), random: () => 0.5 }, { n: mail, attempt: 1, sender: "smtp", handover } as never),
      );
      return sql.exec("SELECT state, error, due IS NOT NULL AS isDue FROM sends").toArray();
    });
    expect(state).toEqual([{ state: "queued", error: "421 later", isDue: 1 }]);
  });

  it("has the content and the values of the time after the pause", async () => {
    await accept(team, revision, ADA, { origin: paused, run: 1 });
    await alarm();
    const newer = await addMarketingMessage(team, "<Paragraph>Dear {contact.firstName}</Paragraph>");
    await team.run("UPDATE message_revisions SET message = 1 WHERE n = ?", newer);
    await team.run("UPDATE email_messages SET revision = ? WHERE n = 1", newer);
    await accept(team, revision, BO, { origin: paused, run: 1 });
    await team.put("/contacts/update", { email: ADA, firstName: "Ada" });
    await control(paused, startWorkflow);
    await alarm();
    expect(await states()).toEqual([
      { recipient: ADA, state: "sent", error: null },
      { recipient: BO, state: "not_sent", error: expect.stringContaining("No value for contact.firstName.") },
    ]);
    expect(await team.rows("SELECT DISTINCT revision FROM sends WHERE state = 'sent'")).toEqual([{ revision: newer }]);
  });

  it("is not sent when its workflow is deleted, held or not", async () => {
    await accept(team, revision, ADA, { origin: paused, run: 1 });
    await alarm();
    await accept(team, revision, BO, { origin: paused, run: 2 });
    const { workflowRevisionId: expectedRevisionId } = (await team.get(`/workflows/${paused}`)).json;
    advance(1_100);
    const { status } = await team.send("DELETE", `/workflows/${paused}`, {
      body: { expectedRevisionId, confirmDelete: true },
    });
    expect(status).toBe(204);
    await alarm();
    expect(await states()).toEqual([
      { recipient: ADA, state: "not_sent", error: "workflow_deleted" },
      { recipient: BO, state: "not_sent", error: "workflow_deleted" },
    ]);
    expect(await team.rows("SELECT id FROM workflows")).toEqual([{ id: other }]);
  });

  it("ends when its workflow is deleted, also where no claim comes to it for hours", async () => {
    await accept(team, revision, ADA, { origin: paused, run: 1 });
    await team.run("UPDATE sends SET attempts = 1, error = 'busy', due = due + ?", DAY / 2);
    await team.run("UPDATE workflows SET deleted_at = 1 WHERE id = ?", paused);
    await alarm();
    expect(await states()).toEqual([{ recipient: ADA, state: "not_sent", error: "workflow_deleted" }]);
    expect(await team.rows("SELECT id FROM workflows")).toEqual([{ id: other }]);
  });

  it("is not sent, and erased at once, when its contact is deleted", async () => {
    await accept(team, revision, ADA, { origin: paused, run: 1, event: { plan: "pro" } });
    await alarm();
    await team.post("/contacts/delete", { email: ADA });
    expect(await team.rows("SELECT state, error, contact, variables, due FROM sends")).toEqual([
      { state: "not_sent", error: "contact_deleted", contact: null, variables: null, due: null },
    ]);
  });
});

const copies = (many: number) =>
  team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
     INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview,
       attachments, contact, origin, run)
     SELECT n + i, 'snd_' || i, class, revision, recipient, recipient_key, '<' || i || '@acme.example>', state, 0, due, variables, created_at, 0,
       0, contact, origin, run + i FROM sends, c WHERE n = (SELECT min(n) FROM sends)`,
    many,
  );

it("thousands of held mails go aside and come back in slices, do not keep other mail waiting, and lose nothing in a crash", async () => {
  await accept(team, revision, ADA, { origin: paused, run: 1 });
  await copies(3_499);
  advance(10);
  await accept(team, revision, BO, { origin: other, run: 9_999 });
  let alarms = 0;
  for (; (await held()) < 3_500 && alarms < 10; alarms += 1) {
    await alarm();
    await evictDurableObject(team.stub);
  }
  // At most 1 000 in a claim and 500 in the chore.
  expect(alarms).toBeGreaterThanOrEqual(3);
  expect(alarms).toBeLessThan(10);
  await alarm();
  expect(await team.rows("SELECT state, count(*) AS n FROM sends GROUP BY state ORDER BY 1")).toEqual([
    { state: "queued", n: 3_500 },
    { state: "sent", n: 1 },
  ]);
  await control(paused, startWorkflow);
  const pump = () =>
    team.inside((sql, storage) =>
      createRunPump({
        context: () => contextOf(sql),
        transaction: (work) => storage.transactionSync(work),
        pause: async () => {},
        follow: () => {},
      }).run(1),
    );
  for (const left of [2_500, 1_500]) {
    await pump();
    expect(await held()).toBe(left);
    await evictDurableObject(team.stub);
  }
  await control(paused, stopWorkflow);
  await pump();
  expect(await held()).toBe(1_500);
});

it("held mail is not given up after a day, however much mail stands before it, and other mail is", async () => {
  await accept(team, revision, ADA, { origin: other, run: 1 });
  await copies(4);
  await accept(team, revision, BO, { origin: paused, run: 9 });
  await accept(team, revision, BO, { origin: paused, run: 10 });
  await team.run("UPDATE sends SET due = ?1 + run, created_at = ?1 + run", Date.now());
  advance(DAY + 60_000);
  const rest = () => team.rows("SELECT state, count(*) AS n FROM sends GROUP BY state ORDER BY 1");
  await team.inside((sql) => expireSends(sql, Date.now(), 5));
  await team.inside((sql) => expireSends(sql, Date.now(), 1));
  expect(await rest()).toEqual([
    { state: "failed", n: 5 },
    { state: "queued", n: 2 },
  ]);
  expect(await held()).toBe(1);
});
