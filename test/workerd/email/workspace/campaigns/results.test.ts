import { beforeEach, describe, expect, it } from "vitest";
import type { FeedbackKind } from "../../../../../src/email/types/feedback.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { counted } from "../counted.ts";
import {
  act,
  addCampaign,
  addContacts,
  claim,
  HANDOVERS,
  hear,
  pumpSlices,
  recipientsOf,
  report,
  reportAll,
  stepOnce,
  sumsOf,
} from "./bench.ts";

isolated();

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
const NONE = { queued: 0, inLedger: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

describe("the result of a mail", () => {
  it.each(["delayed", "answer", "delivered"] as const)(
    "counts once after a report (%s) of the mail provider that comes first, and the campaign ends",
    async (kind) => {
      await pump();
      await team.inside((sql) => {
        const mails = claim(sql);
        hear(sql, mails[0]?.n ?? 0, kind);
        report(sql, mails, HANDOVERS.accepted);
      });
      await pump();
      expect(await sums()).toEqual({ ...NONE, sent: 2, recipients: 2, sum: 2 });
      expect(await team.rows("SELECT sends, settled FROM message_counts")).toEqual([{ sends: 2, settled: 2 }]);
      expect((await state()).status).toBe("Sent");
    },
  );

  it.each([
    ["accepted", { sent: 2 }, "sent", null],
    ["tooLarge", { failed: 2 }, "failed", "The mail is too large."],
    ["mailboxFull", { failed: 2 }, "failed", "552 5.2.2 mailbox full"],
    ["refused", { inLedger: 2 }, "queued", null],
    ["noAddress", { failed: 2 }, "bounced", "550 5.1.1 no such user"],
    ["unknown", { unknown: 2 }, "unknown", "The connection was lost."],
    ["deferred", { inLedger: 2 }, "queued", null],
  ] as const)("%s is that of its recipient, and counts", async (handover, counts, recipient, reason) => {
    await pump();
    expect(await sums()).toEqual({ ...NONE, queued: 2, recipients: 2, sum: 2 });
    const mails = await claimAll();
    expect(await sums()).toEqual({ ...NONE, inLedger: 2, recipients: 2, sum: 2 });
    expect(await team.rows("SELECT 1 FROM sends")).toEqual([]);
    await team.inside((sql) => report(sql, mails, HANDOVERS[handover]));
    expect(await sums()).toEqual({ ...NONE, ...counts, recipients: 2, sum: 2 });
    expect(await recipientsOf(team)).toEqual([ADA, BO].map((email) => ({ email, state: recipient, reason })));
    await pump();
    expect((await state()).status).toBe(recipient === "queued" ? "Sending" : "Sent");
  });

  it("is a soft bounce where the mailbox is full, at once or for a day, and another failure is none", async () => {
    const metrics = async () => (await team.get(`/campaigns/${id}/metrics`)).json;
    await pump();
    const [ada, bo] = await claimAll();
    const later = { outcome: "deferred", about: "mailbox", message: "452 4.2.2 mailbox full" } as const;
    await team.inside((sql) => {
      report(sql, ada ?? expect.fail(), HANDOVERS.mailboxFull);
      report(sql, bo ?? expect.fail(), later);
    });
    expect(await metrics()).toMatchObject({ sends: 1, hardBounces: 0, softBounces: 1 });
    for (let hours = 0; hours < 30; hours++) {
      advance(3_600_000);
      await team.inside((sql) => {
        for (const mail of claim(sql)) report(sql, mail, later);
      });
    }
    await pump();
    expect(await metrics()).toMatchObject({ sends: 2, hardBounces: 0, softBounces: 2 });
    expect(await sums()).toEqual({ ...NONE, failed: 2, recipients: 2, sum: 2 });
    const { json: results } = await team.admin("GET", `/campaigns/${id}/results`);
    expect(results).toMatchObject({ sent: 0, failed: 2, delivered: 0, bounced: 2, softBounces: 2 });
  });

  it.each<[FeedbackKind, string]>([
    ["delivered", "delivered"],
    ["hard", "bounced"],
    ["soft", "failed"],
    ["complaint", "complained"],
  ])("changes with feedback (%s), and a mail that left stays sent in the counts", async (kind, recipient) => {
    await pump();
    const [first] = await claimAll();
    await team.inside((sql) => report(sql, first ?? expect.fail(), HANDOVERS.accepted));
    await team.inside((sql) => hear(sql, first?.n ?? 0, kind));
    expect(await sums()).toEqual({ ...NONE, inLedger: 1, sent: 1, recipients: 2, sum: 2 });
    expect((await recipientsOf(team)).map((row) => row.state)).toEqual([recipient, "queued"]);
  });

  it("of a deferred mail keeps the campaign sending until it is given up, and then counts as failed", async () => {
    await pump();
    await settleAll("deferred");
    for (let hours = 0; hours < 30; hours++) {
      advance(3_600_000);
      await settleAll("deferred");
    }
    await pump();
    expect(await sums()).toEqual({ ...NONE, failed: 2, recipients: 2, sum: 2 });
    expect(await state()).toMatchObject({ status: "Sent", delivery: { state: "done" } });
  });
});

describe("a change of a contact while its campaign is sent", () => {
  const changes: [what: string, reason: string, change: () => Promise<unknown>][] = [
    ["unsubscribed", "unsubscribed", () => team.put("/contacts/update", { email: ADA, subscribed: false })],
    ["suppressed", "suppressed", () => team.admin("POST", "/suppressions", { email: ADA })],
    [
      "suppressed by a bounce",
      "suppressed",
      () => team.run("INSERT INTO suppressions (email_key, reason, at) VALUES (?, 'bounce', 0)", ADA),
    ],
  ];
  const steps = { "before it is a recipient": 0, "before its mail is claimed": 1 };

  for (const [what, reason, change] of changes) {
    it.each(Object.entries(steps))(`${what} %s: it gets none`, async (_, done) => {
      for (let step = 0; step < done; step++) await team.inside((sql) => stepOnce(sql, id));
      await change();
      await pump();
      await settleAll("accepted");
      await pump();
      expect(await recipientsOf(team)).toEqual([
        { email: ADA, state: "skipped", reason },
        { email: BO, state: "sent", reason: null },
      ]);
      expect(await sums()).toEqual({ ...NONE, sent: 1, skipped: 1, recipients: 2, sum: 2 });
    });
  }

  it.each([...Object.entries(steps), ["after its mail is claimed", 2] as const])(
    "deleted %s: no row is left, and the sums close",
    async (_, done) => {
      for (let step = 0; step < Math.min(done, 1); step++) await team.inside((sql) => stepOnce(sql, id));
      const claimed = done === 2 ? await claimAll() : [];
      await team.post("/contacts/delete", { email: ADA });
      await team.inside((sql) => {
        for (const mail of claimed) report(sql, mail, HANDOVERS.accepted);
      });
      await pump();
      await settleAll("accepted");
      await pump();
      expect(await recipientsOf(team)).toEqual([{ email: BO, state: "sent", reason: null }]);
      const [recipients, sent, skipped] =
        [
          [1, 1, 0],
          [2, 1, 1],
          [2, 2, 0],
        ][done] ?? [];
      expect(await sums()).toEqual({ ...NONE, recipients, sent, skipped, sum: recipients });
      expect(await state()).toMatchObject({ status: "Sent", delivery: { state: "done" } });
    },
  );

  it.each(Object.entries(steps))("merged with a contact without an address %s: it gets one mail", async (_, done) => {
    await team.put("/contacts/update", { userId: "u1" });
    await team.run("UPDATE campaigns SET max_contact = 3");
    for (let step = 0; step < done; step++) await team.inside((sql) => stepOnce(sql, id));
    await team.put("/contacts/update", { email: ADA, userId: "u1" });
    await pump();
    await settleAll("accepted");
    await pump();
    await settleAll("accepted");
    expect(await recipientsOf(team)).toEqual([ADA, BO].map((email) => ({ email, state: "sent", reason: null })));
    const { recipients, sent, skipped, sum } = await sums();
    expect([recipients, sent, skipped, sum]).toEqual(done === 0 ? [2, 2, 0, 2] : [3, 2, 1, 3]);
  });

  it("merged with one that has the mail already: the person gets it once", async () => {
    await team.put("/contacts/update", { userId: "u1" });
    await team.run("UPDATE campaigns SET max_contact = 3");
    await pump();
    const first = await team.inside((sql) => claim(sql, 1));
    expect(first.map(({ recipient }) => recipient)).toEqual([ADA]);
    await team.put("/contacts/update", { email: ADA, userId: "u1" });
    await team.run("UPDATE campaigns SET claimed_cursor = 0, queued = queued + 1");
    expect((await claimAll()).map(({ recipient }) => recipient)).toEqual([BO]);
  });

  it("a new address gets the mail", async () => {
    await pump();
    await team.run("UPDATE contacts SET email = 'new@example.com', email_key = 'new@example.com' WHERE n = 1");
    expect((await claimAll()).map(({ recipient }) => recipient).sort()).toEqual([BO, "new@example.com"]);
  });
});

it("a campaign mail costs at most five rows, with a Mailer's answers of 25 results", async () => {
  const many = 100;
  await addContacts(
    team,
    Array.from({ length: many }, (_, n) => `p${n}@example.com`),
  );
  await team.run(`UPDATE campaigns SET max_contact = ${many + 2}`);
  const rows = await team.inside((real) => {
    const { sql, take } = counted(real);
    const written = (work: () => void) => {
      take();
      work();
      return take().written;
    };
    const snapshot = written(() => stepOnce(sql, id));
    // The first mail of a day notes that its revision is in use.
    reportAll(sql, claim(sql, 2), HANDOVERS.accepted);
    const answers = Array.from({ length: 4 }, () => {
      let mails: ReturnType<typeof claim> = [];
      const claimed = written(() => {
        mails = claim(sql, 25);
      });
      return { claimed, settled: written(() => reportAll(sql, mails, HANDOVERS.accepted)) };
    });
    return { snapshot, answers };
  });
  // Each recipient and the campaign. A claim writes the campaign, the counts and the claims of the Mailer. A result
  // writes the mail, its index of recipients and the engagement, and the counts and the claims once for all.
  expect(rows).toEqual({ snapshot: many + 3, answers: Array(4).fill({ claimed: 3, settled: 25 * 3 + 2 }) });
});
