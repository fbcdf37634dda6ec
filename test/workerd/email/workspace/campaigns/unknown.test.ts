import { beforeEach, describe, expect, it } from "vitest";
import { RETRIED } from "../../../../../src/email/policy/campaigns/slice.ts";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  retryUnknown,
} from "../../../../../src/email/workspace/campaigns/control.ts";
import { expireSends } from "../../../../../src/email/workspace/sending/sends.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { contextOf, counted } from "../counted.ts";
import {
  act,
  addCampaign,
  addContacts,
  campaignOf,
  claim,
  HANDOVERS,
  hear,
  pumpSlices,
  recipientsOf,
  report,
  sumsOf,
} from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const [ADA, BO] = ["ada@example.com", "bo@example.com"];

let team: Team;
let id: string;

beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, [ADA, BO]);
  id = await addCampaign(team);
  await act(team, id);
});

const pump = () => team.inside((_, storage) => pumpSlices(storage));
const sums = () => team.inside((sql) => sumsOf(sql, id));
const claimAll = () => team.inside((sql) => claim(sql));
const settleAll = (handover: keyof typeof HANDOVERS) =>
  team.inside((sql) => {
    for (const mail of claim(sql)) report(sql, mail, HANDOVERS[handover]);
  });
const state = async () => (await team.get(`/campaigns/${id}`)).json;
const progress = async () => (await team.admin("GET", `/campaigns/${id}/status`)).json.retry;
const retryAll = async () => {
  await act(team, id, retryUnknown);
  await pump();
  const { retried, leftOut, done } = await progress();
  expect(done).toBe(true);
  return { retried, leftOut };
};
const NONE = { queued: 0, inLedger: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

describe("a mail whose outcome is unknown", () => {
  beforeEach(async () => {
    await pump();
    await settleAll("unknown");
    await pump();
  });

  it("does not keep the campaign sending, and is sent again by hand for all recipients at once", async () => {
    const { status, delivery } = await state();
    expect([status, delivery.state, delivery.unknown]).toEqual(["Sent", "done", 2]);
    advance(3 * 86_400_000);
    expect(await progress()).toBeNull();
    expect(await act(team, id, retryUnknown)).toEqual({
      at: Date.now(),
      unknown: 2,
      retried: 0,
      leftOut: {},
      ended: false,
    });
    const counts = { unknown: 2, retried: 0, leftOut: {} };
    const asked = { askedAt: new Date().toISOString(), ...counts, done: false, stopped: false };
    expect(await progress()).toEqual(asked);
    await pump();
    expect(await progress()).toEqual({ ...asked, retried: 2, done: true });
    expect(await state()).toMatchObject({ status: "Sending", delivery: { state: "sending", finishedAt: null } });
    expect(await sums()).toEqual({ ...NONE, inLedger: 2, recipients: 2, sum: 2 });
    await settleAll("deferred");
    advance(3_600_000);
    await settleAll("accepted");
    await pump();
    expect(await sums()).toEqual({ ...NONE, sent: 2, recipients: 2, sum: 2 });
    const after = await state();
    expect([after.status, after.delivery.state]).toEqual(["Sent", "done"]);
    expect(Date.parse(after.delivery.finishedAt) - Date.parse(delivery.finishedAt)).toBeGreaterThan(3 * 86_400_000);
    expect((await recipientsOf(team)).map((row) => row.state)).toEqual(["sent", "sent"]);
    expect(
      (await team.rows("SELECT 1 FROM sends, json_each(sends.history) WHERE value->>'kind' = 'retried'")).length,
    ).toBe(2);
  });

  it("is not sent again to a contact that has unsubscribed or is gone", async () => {
    await team.put("/contacts/update", { email: ADA, subscribed: false });
    await team.post("/contacts/delete", { email: BO });
    const before = await state();
    expect(await retryAll()).toEqual({ retried: 0, leftOut: { unsubscribed: 1, contact_deleted: 1 } });
    expect(await state()).toEqual(before);
    expect(await claimAll()).toEqual([]);
    expect(await sums()).toEqual({ ...NONE, unknown: 2, recipients: 2, sum: 2 });
  });

  it("is left out where it is deleted, and asked for again it is retried once", async () => {
    await team.run("DELETE FROM sends WHERE recipient = ?", ADA);
    const first = await act(team, id, retryUnknown);
    advance(5_000);
    for (const _ of [2, 3]) expect(await act(team, id, retryUnknown)).toEqual(first);
    await pump();
    expect(await progress()).toMatchObject({ unknown: 2, retried: 1, leftOut: { mail_deleted: 1 }, done: true });
    expect(await retryAll()).toEqual({ retried: 0, leftOut: { mail_deleted: 1 } });
    expect((await claimAll()).map(({ recipient }) => recipient)).toEqual([BO]);
    expect(
      (await team.rows("SELECT 1 FROM sends, json_each(sends.history) WHERE value->>'kind' = 'retried'")).length,
    ).toBe(1);
  });

  it("can be paused, resumed and cancelled while it is sent again", async () => {
    await act(team, id, retryUnknown);
    await pump();
    await act(team, id, pauseCampaign);
    expect(await claimAll()).toEqual([]);
    expect((await state()).delivery).toMatchObject({ state: "paused", queued: 2 });
    await act(team, id, resumeCampaign);
    await pump();
    const [first] = await team.inside((sql) => claim(sql, 1));
    await team.inside((sql) => report(sql, first ?? expect.fail(), HANDOVERS.deferred));
    await act(team, id, cancelCampaign);
    advance(3_600_000);
    await pump();
    expect((await claimAll()).length).toBe(0);
    expect((await state()).delivery).toMatchObject({ state: "cancelled", unknown: 2, cancelled: 0 });
    expect(await team.rows("SELECT state, attempts, error, due FROM sends ORDER BY attempts")).toEqual([
      { state: "unknown", attempts: 1, error: "The connection was lost.", due: null },
      { state: "unknown", attempts: 2, error: "The connection was lost.", due: null },
    ]);
    expect((await recipientsOf(team)).map(({ state, reason }) => [state, reason])).toEqual(
      Array(2).fill(["unknown", "The connection was lost."]),
    );
  });

  it("is unknown again, and not unsent, when it may not leave a second time", async () => {
    advance(1_000);
    await act(team, id, retryUnknown);
    await pump();
    await team.put("/contacts/update", { email: ADA, subscribed: false });
    await team.post("/contacts/delete", { email: BO });
    expect(await claimAll()).toEqual([]);
    await pump();
    expect(await sums()).toEqual({ ...NONE, unknown: 2, recipients: 2, sum: 2 });
    const delivery = { status: "Sent", delivery: { state: "done", unknown: 2, skipped: 0 } };
    expect(await state()).toMatchObject(delivery);
    const [send] = await team.rows("SELECT id FROM sends WHERE contact IS NOT NULL");
    const { json } = await team.admin("GET", `/sends/${send?.id}`);
    expect(json).toMatchObject({ state: "unknown", attempts: 1 });
    expect(json.story.map(({ text }: { text: string }) => text).slice(-2)).toEqual([
      "A person had it sent again.",
      "It was not sent again, so its result stays unknown.",
    ]);
    expect(await retryAll()).toEqual({ retried: 0, leftOut: { unsubscribed: 1, contact_deleted: 1 } });
  });

  it("is left alone by an earlier request, where it became unknown after that", async () => {
    await act(team, id, retryUnknown);
    advance(1_000);
    await team.run(
      "UPDATE sends SET history = json_set(history, '$[0].at', ?) WHERE n = (SELECT max(n) FROM sends)",
      Date.now(),
    );
    await pump();
    expect(await progress()).toMatchObject({ unknown: 2, retried: 1, leftOut: {}, done: true });
    expect(await sums()).toEqual({ ...NONE, inLedger: 1, unknown: 1, recipients: 2, sum: 2 });
  });

  it("stops its retry when the campaign is cancelled, and says so where not all were looked at", async () => {
    await act(team, id, retryUnknown);
    await team.run("UPDATE campaigns SET status = 'Sending', state = 'sending'");
    await act(team, id, cancelCampaign);
    expect(await progress()).toMatchObject({ unknown: 2, retried: 0, done: false, stopped: true });
    await pump();
    expect((await state()).delivery).toMatchObject({ state: "cancelled", unknown: 2 });
    expect(await progress()).toMatchObject({ retried: 0, done: false, stopped: true });
    expect((await team.admin("POST", `/campaigns/${id}/retry-unknown`)).json.code).toBe("campaign_cancelled");
  });

  it("is done with its retry where all were looked at before the campaign is cancelled", async () => {
    await retryAll();
    await act(team, id, cancelCampaign);
    await pump();
    expect((await state()).delivery).toMatchObject({ state: "cancelled", unknown: 2 });
    expect(await progress()).toMatchObject({ retried: 2, done: true, stopped: false });
  });

  it("is refused a retry while something else is done to all recipients, instead of reading as none", async () => {
    await team.run("UPDATE campaigns SET pass = 'cancel'");
    const { status, json } = await team.admin("POST", `/campaigns/${id}/retry-unknown`);
    expect([status, json.code, json.path]).toEqual([409, "campaign_busy", "campaignId"]);
    await team.run("UPDATE campaigns SET pass = NULL");
    expect((await team.admin("POST", `/campaigns/${id}/retry-unknown`)).json.retry).toMatchObject({ unknown: 2 });
  });

  describe("and is sent again alone", () => {
    const retry = async (email: string) => {
      const [send] = await team.rows(`SELECT id FROM sends WHERE recipient = '${email}'`);
      return team.admin("POST", `/sends/${send?.id}/retry`);
    };

    it("has its campaign send until it has a result", async () => {
      const before = (await state()).delivery;
      await team.run("UPDATE message_counts SET sends = sends + 600, hard_bounces = 300");
      advance(3_600_000);
      expect((await retry(ADA)).status).toBe(200);
      expect(await state()).toMatchObject({
        status: "Sending",
        delivery: { state: "sending", queued: 1, unknown: 1, finishedAt: null },
      });
      await pump();
      expect((await state()).delivery).toMatchObject({ state: "sending", queued: 1 });
      await settleAll("accepted");
      await pump();
      const { status, delivery } = await state();
      expect([status, delivery.state, delivery.queued]).toEqual(["Sent", "done", 0]);
      expect(Date.parse(delivery.finishedAt)).toBeGreaterThan(Date.parse(before.finishedAt));
      expect((await recipientsOf(team)).map((row) => row.state)).toEqual(["sent", "unknown"]);
    });

    it("stays with a campaign that is paused until that is resumed", async () => {
      await act(team, id, retryUnknown);
      await pump();
      await act(team, id, pauseCampaign);
      await team.run(
        "UPDATE sends SET state = 'unknown', due = NULL, error = 'lost', settled_at = 1 WHERE recipient = ?",
        ADA,
      );
      expect((await retry(ADA)).status).toBe(200);
      expect(await claimAll()).toEqual([]);
      expect((await state()).delivery.state).toBe("paused");
    });

    it.each([
      ["unsubscribed", () => team.put("/contacts/update", { email: ADA, subscribed: false }), "has unsubscribed"],
      ["is deleted", () => team.post("/contacts/delete", { email: ADA }), "The contact was deleted."],
      [
        "has another address, which is suppressed",
        async () => {
          await team.put("/contacts/update", { email: ADA, userId: "ada" });
          await team.put("/contacts/update", { userId: "ada", email: "new@example.com" });
          await team.admin("POST", "/suppressions", { email: "new@example.com" });
        },
        "suppressed",
      ],
      [
        "has a campaign that was cancelled",
        () => team.run("UPDATE campaigns SET state = 'cancelled'"),
        "was cancelled",
      ],
    ] as const)("is refused where the contact %s, and stays unknown", async (_, change, words) => {
      const [send] = await team.rows(`SELECT id FROM sends WHERE recipient = '${ADA}'`);
      await change();
      const before = await team.everything();
      const { status, json } = await team.admin("POST", `/sends/${send?.id}/retry`);
      expect([status, json.code, json.path]).toEqual([409, "send_not_retryable", "sendId"]);
      expect(json.message).toContain(words);
      expect((await team.admin("GET", `/sends/${send?.id}`)).json).toMatchObject({ canRetry: false });
      expect(await team.everything()).toBe(before);
    });
  });

  it("that bounces does not hold a campaign for rates that a person has seen", async () => {
    await team.run(
      "UPDATE message_counts SET sends = 600, hard_bounces = 300, accepted = accepted + 600, settled = settled + 600",
    );
    await act(team, id, retryUnknown);
    await pump();
    expect((await state()).delivery).toMatchObject({ state: "sending", queued: 2 });
  });

  it("is not queued again by a later report of the attempt that left it unknown", async () => {
    const [send] = await team.rows("SELECT n FROM sends ORDER BY n");
    for (const late of ["deferred", "refused", "noAddress", "unknown"] as const)
      await team.inside((sql) => report(sql, { n: Number(send?.n), attempt: 1 }, HANDOVERS[late]));
    expect(await team.rows("SELECT DISTINCT state, attempts FROM sends")).toEqual([{ state: "unknown", attempts: 1 }]);
    await act(team, id, retryUnknown);
    await pump();
    await team.inside((sql) => report(sql, { n: Number(send?.n), attempt: 1 }, HANDOVERS.refused));
    expect(await sums()).toEqual({ ...NONE, inLedger: 2, recipients: 2, sum: 2 });
    expect((await claimAll()).map(({ attempt }) => attempt)).toEqual([2, 2]);
    await team.inside((sql) => report(sql, { n: Number(send?.n), attempt: 1 }, HANDOVERS.noAddress));
    expect(await sums()).toEqual({ ...NONE, inLedger: 2, recipients: 2, sum: 2 });
  });

  it("that was taken after all counts as sent", async () => {
    const [send] = await team.rows("SELECT n FROM sends ORDER BY n");
    await team.inside((sql) => hear(sql, Number(send?.n), "delivered"));
    expect(await sums()).toEqual({ ...NONE, sent: 1, unknown: 1, recipients: 2, sum: 2 });
  });

  it("is retried by nobody when there is none", async () => {
    await team.run("UPDATE message_counts SET unknown = 0");
    await team.run("UPDATE recipients SET state = 'sent', reason = NULL");
    expect(await act(team, id, retryUnknown)).toBeUndefined();
    expect((await team.admin("POST", `/campaigns/${id}/retry-unknown`)).json).toEqual({ id, retry: null });
    expect(await progress()).toBeNull();
  });
});

describe("the unknown mails of many recipients", () => {
  const MANY = 1_200;

  const copyUnknown = async () => {
    await pump();
    await settleAll("unknown");
    await pump();
    await team.inside((sql) => {
      const copied = (table: string, changes: Record<string, string>, from: string) => {
        const names = sql.exec<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).toArray();
        const columns = names.map(({ name }) => name);
        sql.exec(
          `WITH RECURSIVE i (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ${MANY}) INSERT INTO ${table} (${columns.join(", ")})
             SELECT ${columns.map((name) => changes[name] ?? `t.${name}`).join(", ")} FROM i, ${table} t WHERE ${from}`,
        );
      };
      const { contact, send } = sql
        .exec<{ contact: number; send: number }>("SELECT contact, send FROM recipients ORDER BY contact DESC LIMIT 1")
        .one();
      const names = {
        email: "'copy' || i || '@example.com'",
        email_key: "'copy' || i || '@example.com'",
        user_id: "NULL",
      };
      copied("contacts", { ...names, n: `${contact} + i`, id: "'con_' || i" }, `t.n = ${contact}`);
      copied(
        "sends",
        {
          n: `${send} + i`,
          id: "'snd_' || i",
          contact: `${contact} + i`,
          recipient: names.email,
          recipient_key: names.email,
        },
        `t.n = ${send}`,
      );
      copied("engagement", { contact: `${contact} + i`, send: `${send} + i` }, `t.send = ${send}`);
      copied("recipients", { contact: `${contact} + i`, send: `${send} + i` }, `t.contact = ${contact}`);
      sql.exec(
        "UPDATE message_counts SET unknown = unknown + ?1, accepted = accepted + ?1, settled = settled + ?1",
        MANY,
      );
      sql.exec("UPDATE campaigns SET recipients = recipients + ?", MANY);
    });
  };

  it("are sent again in slices, of which a request writes none", async () => {
    await copyUnknown();
    expect((await state()).delivery).toMatchObject({ state: "done", unknown: MANY + 2 });
    const { written } = await team.inside((real) => {
      const { sql, take } = counted(real);
      retryUnknown(contextOf(sql), campaignOf(sql, id));
      return take();
    });
    expect(written).toBeLessThanOrEqual(3);
    const slice = () => team.inside((_, storage) => pumpSlices(storage, { slices: 1 }));
    await slice();
    expect(await progress()).toMatchObject({ unknown: MANY + 2, retried: RETRIED, done: false });
    expect((await state()).delivery).toMatchObject({ state: "sending", queued: RETRIED });
    await pump();
    expect(await progress()).toMatchObject({ retried: MANY + 2, leftOut: {}, done: true });
    expect((await state()).delivery).toMatchObject({ state: "sending", queued: MANY + 2, unknown: 0 });
  });
});

it("a mail without a result for 24 hours that is sent again and then cancelled stays unknown", async () => {
  await pump();
  await team.inside((sql) => claim(sql));
  advance(25 * HOUR);
  await team.inside((sql) => expireSends(sql, Date.now(), 10));
  await pump();
  expect(await sums()).toMatchObject({ unknown: 2 });
  await act(team, id, retryUnknown);
  await pump();
  await act(team, id, cancelCampaign);
  await pump();
  expect(await sums()).toMatchObject({ unknown: 2, cancelled: 0 });
});
