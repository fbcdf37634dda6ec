import { beforeEach, expect, it } from "vitest";
import type { ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";
import { cancelCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { recordUnsubscribe } from "../../../../../src/email/workspace/sending/marketing/unsubscribes.ts";
import { recordHit } from "../../../../../src/email/workspace/tracking/hits.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import {
  act,
  addCampaign,
  addContacts,
  claim,
  HANDOVERS,
  pumpSlices,
  recipientsOf,
  report,
  reportAll,
  sumsOf,
} from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const [ADA, BOB] = ["ada@example.com", "bob@example.com"];
const NONE = { queued: 0, inLedger: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

let team: Team;
let id: string;
let mail: ClaimedSend;

/** The mail of ada was deferred at its first attempt, and that of bob was sent. */
beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, [ADA, BOB]);
  id = await addCampaign(team);
  await act(team, id);
  mail = await team.inside(async (sql, storage) => {
    await pumpSlices(storage);
    const [first, second] = claim(sql);
    report(sql, first ?? expect.fail(), HANDOVERS.deferred);
    report(sql, second ?? expect.fail(), HANDOVERS.accepted);
    return first ?? expect.fail();
  });
  expect(await deferred()).toBe(1);
});

const deferred = async () => (await team.rows("SELECT deferred FROM message_counts"))[0]?.deferred;
const engagement = () =>
  team.rows(
    `SELECT contact, sent_at IS NOT NULL AS sent, clicked_at IS NOT NULL AS clicked FROM engagement WHERE send = ${mail.n}`,
  );
const row = async () =>
  (
    await team.rows(`SELECT state, attempts, due IS NOT NULL AS waits, contact, error FROM sends WHERE n = ${mail.n}`)
  )[0];
const sums = () => team.inside((sql) => sumsOf(sql, id));
const endWith = (handover: Parameters<typeof report>[2]) =>
  team.inside(async (sql, storage) => {
    report(sql, claim(sql), handover);
    await pumpSlices(storage);
  });
const click = (contact: number) =>
  team.inside((sql) =>
    recordHit(
      { sql, now: Date.now() },
      {
        mail: { team: "acme", send: mail.n, contact, message: mail.marketing?.message ?? 0, run: 0 },
        link: 1,
        url: "https://a.example/",
        visitor: "human",
      },
    ),
  );

it("is counted while it waits, and gets its engagement when it is sent", async () => {
  expect(await row()).toMatchObject({ state: "queued", attempts: 1, waits: 1, error: "421 4.3.2 later" });
  expect(await engagement()).toEqual([]);
  expect(await sums()).toEqual({ ...NONE, inLedger: 1, sent: 1, recipients: 2, sum: 2 });
  advance(HOUR);
  const again = await team.inside((sql) => claim(sql));
  expect(again).toMatchObject([{ n: mail.n, attempt: 2, messageId: mail.messageId }]);
  expect(await deferred()).toBe(0);
  await team.inside((sql) => report(sql, again, HANDOVERS.accepted));
  expect(await engagement()).toEqual([{ contact: 1, sent: 1, clicked: 0 }]);
  expect(await sums()).toEqual({ ...NONE, sent: 2, recipients: 2, sum: 2 });
  expect((await recipientsOf(team)).map(({ state }) => state)).toEqual(["sent", "sent"]);
  expect(await team.rows("SELECT count(*) AS settled FROM recipients WHERE state = 'sent'")).toEqual([{ settled: 0 }]);
});

it.each([
  ["unknown", HANDOVERS.unknown, { sent: 1 }],
  ["bounced", HANDOVERS.noAddress, { sent: 1 }],
  ["failed", HANDOVERS.tooLarge, { sent: 0 }],
])("has its engagement when it ends as %s, and its recipient says so", async (state, handover, sent) => {
  advance(HOUR);
  await endWith(handover);
  expect(await row()).toMatchObject({ state });
  expect(await engagement()).toMatchObject([sent]);
  expect((await recipientsOf(team))[0]).toMatchObject({ email: ADA, state });
  expect(await deferred()).toBe(0);
  expect(await team.rows(`SELECT value->>'kind' AS kind FROM sends, json_each(history) WHERE n = ${mail.n}`)).toEqual([
    { kind: "deferred" },
    { kind: state === "unknown" ? "unknown" : "refused" },
  ]);
});

it("counts a request before its next attempt as a program's, and a click on the sent mail as a person's", async () => {
  expect(await click(1)).toEqual([]);
  expect(await team.rows("SELECT send, human, scanner FROM send_hits")).toEqual([
    { send: mail.n, human: 0, scanner: 1 },
  ]);
  expect(await engagement()).toEqual([{ contact: 1, sent: 0, clicked: 0 }]);
  advance(HOUR);
  await endWith(HANDOVERS.accepted);
  expect(await engagement()).toEqual([{ contact: 1, sent: 1, clicked: 0 }]);
  advance(HOUR);
  expect(await click(1)).toContain("clicked");
  expect(await engagement()).toEqual([{ contact: 1, sent: 1, clicked: 1 }]);
});

it("counts an unsubscribe by its link before its next attempt", async () => {
  const clock = (sql: SqlStorage) => ({ sql, now: Date.now() });
  await team.inside((sql) => recordUnsubscribe(clock(sql), { row: 1, send: mail.n }, "email.unsubscribed"));
  expect(await team.rows("SELECT unsubscribes FROM message_counts")).toEqual([{ unsubscribes: 1 }]);
});

it.each([
  ["as it is", ADA],
  ["after it got another address", "ada@new.example"],
])("ends with its contact, %s", async (_, email) => {
  if (email !== ADA) {
    await team.run("UPDATE contacts SET user_id = 'u1' WHERE n = 1");
    expect((await team.put("/contacts/update", { userId: "u1", email })).status).toBe(200);
  }
  expect((await team.post("/contacts/delete", { email })).status).toBe(200);
  expect(await row()).toMatchObject({ state: "not_sent", contact: null, error: "contact_deleted" });
  expect(await engagement()).toEqual([]);
  expect(await deferred()).toBe(0);
});

it("is of the contact that its own becomes part of", async () => {
  await team.put("/contacts/update", { userId: "u2" });
  expect((await team.put("/contacts/update", { email: ADA, userId: "u2" })).status).toBe(200);
  expect(await engagement()).toHaveLength(1);
  advance(HOUR);
  await endWith(HANDOVERS.accepted);
  expect(await engagement()).toMatchObject([{ contact: 1, sent: 1 }]);
  expect(await sums()).toEqual({ ...NONE, sent: 2, recipients: 2, sum: 2 });
});

it("ends with its campaign", async () => {
  await act(team, id, cancelCampaign);
  await team.inside((_, storage) => pumpSlices(storage));
  expect(await row()).toMatchObject({ state: "not_sent", error: "campaign_cancelled" });
  expect(await sums()).toEqual({ ...NONE, sent: 1, cancelled: 1, recipients: 2, sum: 2 });
  expect(await deferred()).toBe(0);
});

it("is named in the list of recipients", async () => {
  const { json } = await team.admin("GET", `/campaigns/${id}/recipients`);
  expect(json.data).toMatchObject([
    { email: ADA, state: "queued", sendId: mail.id },
    { email: BOB, state: "sent" },
  ]);
});

it("is counted once, whichever version claims and defers it", async () => {
  const before = {
    claim: "UPDATE sends SET state = 'sending', attempts = attempts + 1 WHERE state = 'queued'",
    defer: "UPDATE sends SET state = 'queued', due = 1 WHERE state = 'sending'",
  };
  const now = {
    claim: () => team.inside((sql) => claim(sql)),
    defer: () =>
      team.inside((sql) => {
        const mails = sql.exec<{ n: number; attempt: number }>(
          "SELECT n, attempts AS attempt FROM sends WHERE state = 'sending'",
        );
        reportAll(sql, mails.toArray(), HANDOVERS.deferred);
      }),
  };
  for (const [claimed, deferredBy] of [
    ["before", "before"],
    ["before", "now"],
    ["now", "before"],
    ["before", "now"],
    ["now", "now"],
  ]) {
    advance(HOUR);
    await (claimed === "before" ? team.run(before.claim) : now.claim());
    expect(await deferred(), `${claimed}, ${deferredBy}`).toBe(0);
    await (deferredBy === "before" ? team.run(before.defer) : now.defer());
    expect(await deferred(), `${claimed}, ${deferredBy}`).toBe(1);
  }
});
