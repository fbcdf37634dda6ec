import { expect, it, vi } from "vitest";
import { MailerQueue } from "../../../../src/email/delivery/mailer/mailer-queue.ts";
import { schema as mailerSchema, noteIn } from "../../../../src/email/delivery/mailer/note.ts";
import type { Handover, MailClass } from "../../../../src/email/types/mail-handover.ts";
import { readMailerName } from "../../../../src/email/types/mailer-rpc.ts";
import { startCampaign } from "../../../../src/email/workspace/campaigns/control.ts";
import { contactInRow } from "../../../../src/email/workspace/contacts/contact-rows.ts";
import { createRunPump } from "../../../../src/email/workspace/requests/slice-pump.ts";
import { runRequest } from "../../../../src/email/workspace/requests/v1-requests.ts";
import { MailPump } from "../../../../src/email/workspace/sending/mail-pump.ts";
import { acceptMarketing, marketingContent } from "../../../../src/email/workspace/sending/marketing/accept.ts";
import { readPlan } from "../../../../src/lib/plan.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { advance, createTeam, isolated, type Team } from "../bench.ts";
import { addMarketingMessage } from "../marketing.ts";
import { addCampaign, campaignOf, marketingContext } from "./campaigns/bench.ts";
import { addContacts } from "./campaigns/ready-campaign.ts";
import { contextOf, counted } from "./counted.ts";

isolated();

const MAILS = 400;
const ROUTE = "smtp:mail.example.com";
const DOMAIN = "mail.example.com";
const ACCEPTED: Handover = { outcome: "accepted" };

/** The Workspace's part of sending and its Mailers, over counted rows. `outcomeOf`: of an attempt at a mail provider. */
const sendingOf = (sql: SqlStorage, outcomeOf: (attempt: number) => Handover) => {
  for (const { sql: text } of mailerSchema.migrations) sql.exec(text);
  const queues = new Map<string, MailerQueue>();
  const queueOf = (name: string, mailClass: MailClass): MailerQueue => {
    const known = queues.get(name);
    if (known) return known;
    const queue = new MailerQueue({
      mailClass,
      now: () => Date.now(),
      notes: noteIn(sql, async () => {}),
      wait: (_, until) => until,
      handOver: async ({ attempt }) => ({ sender: "smtp", handover: outcomeOf(attempt) }),
    });
    queues.set(name, queue);
    return queue;
  };
  const runs = createRunPump({
    context: () => marketingContext(sql),
    transaction: (work) => work(),
    pause: async () => {},
    follow: () => {},
  });
  const pump = new MailPump({
    sql,
    transaction: (work) => work(),
    team: () => "acme",
    mailers: (mailClass) => (mailClass === "marketing" ? 4 : 2),
    budget: readPlan({}),
    isIdempotent: () => false,
    copiesOf: () => [],
    routeOf: () => ROUTE,
    onlyRoute: () => ROUTE,
    recipients: (wanted) => runs.claim(wanted),
    settled: () => {},
    now: () => Date.now(),
    random: () => 0.5,
    sleep: () => new Promise(() => {}),
    wake: () => {},
    mailer: (name) => ({
      exchange: async (_, order) => queueOf(name, readMailerName(name).mailClass).exchange(order),
      recall: async () => [],
    }),
  });
  const settled = (mails: number) =>
    vi.waitFor(() => {
      const query = "SELECT count(*) AS count FROM sends WHERE state = 'sent'";
      expect(sql.exec<{ count: number }>(query).one().count).toBe(mails);
      expect(pump.next()).toBe(Number.POSITIVE_INFINITY);
    }, 20_000);
  return { pump, runs, settled };
};

type Figures = { perMail: number; byTable: Record<string, number>; read?: number };

const figuresOf = (byTable: Record<string, number>, mails: number): Figures => ({
  perMail: Object.values(byTable).reduce((sum, rows) => sum + rows, 0) / mails,
  byTable: Object.fromEntries(
    Object.entries(byTable).map(([table, rows]) => [table, Math.round((rows / mails) * 100) / 100]),
  ),
});

const campaignRows = async (team: Team, before: (sql: SqlStorage) => void = () => {}): Promise<Figures> => {
  await addContacts(team, MAILS);
  const id = await addCampaign(team);
  return team.inside(async (real) => {
    before(real);
    const { sql, byTable, take } = counted(real);
    const { pump, runs, settled } = sendingOf(sql, () => ACCEPTED);
    startCampaign(contextOf(sql), campaignOf(sql, id));
    await runs.run(100);
    for (const work of pump.run()) void work;
    await settled(MAILS);
    return { ...figuresOf(byTable(), MAILS), read: take().read / MAILS };
  });
};

it("a campaign mail writes at most 5 rows, and reads at most 28", async () => {
  const { perMail, byTable, read } = await campaignRows(await createTeam());
  expect(read).toBeLessThanOrEqual(28);
  expect(perMail, JSON.stringify(byTable)).toBeLessThanOrEqual(5);
  expect(Object.keys(byTable).sort()).toEqual([
    "campaigns",
    "engagement",
    "mailer_claims",
    "message_counts",
    "note",
    "recipients",
    "sends",
  ]);
});

it.each<[what: string, before: (sql: SqlStorage) => void]>([
  [
    "under a warm-up",
    (sql) =>
      void sql.exec(
        "INSERT INTO warmups (name, step, day, marketing, transactional, caps_transactional) VALUES (?, 5, ?, 0, 0, 0)",
        DOMAIN,
        Math.floor(Date.now() / 86_400_000),
      ),
  ],
  ["under a send limit", (sql) => void sql.exec("UPDATE team SET send_per_day = 10000")],
])("a campaign mail %s writes at most 5 rows", async (_, before) => {
  const { perMail, byTable } = await campaignRows(await createTeam(), before);
  expect(perMail, JSON.stringify(byTable)).toBeLessThanOrEqual(5);
});

it("a warm-up that is used up writes one mail that waits; the others stay recipients", async () => {
  const team = await createTeam();
  await addContacts(team, MAILS);
  const id = await addCampaign(team);
  await team.inside(async (sql) => {
    sql.exec(
      "INSERT INTO warmups (name, step, day, marketing, transactional, caps_transactional) VALUES (?, 0, ?, 400, 0, 0)",
      DOMAIN,
      Math.floor(Date.now() / 86_400_000),
    );
    const { pump, runs, settled } = sendingOf(sql, () => ACCEPTED);
    startCampaign(contextOf(sql), campaignOf(sql, id));
    await runs.run(100);
    for (const work of pump.run()) void work;
    await settled(100);
    expect(sql.exec("SELECT state, count(*) AS mails FROM sends GROUP BY 1 ORDER BY 1").toArray()).toEqual([
      { state: "queued", mails: 1 },
      { state: "sent", mails: 100 },
    ]);
    expect(campaignOf(sql, id).counts).toMatchObject({ queued: 299, inLedger: 1, sent: 100 });
  });
});

/** Rows of a campaign mail that is sent at once, as the first test counts them. */
const AT_ONCE = 4.24;

/**
 * `every`: one mail in so many, because a campaign is held where more are refused. `most`: rows more. A soft bounce and
 * its index are one row above 4.
 */
it.each<[what: string, first: Handover, every: number, sent: number, most: number]>([
  ["deferred once", { outcome: "deferred", message: "450 later" }, 10, MAILS, 4],
  ["refused once", { outcome: "refused", about: "policy", message: "554 blocked" }, 10, MAILS, 4],
  ["refused for its address", { outcome: "refused", about: "recipient", message: "550 no such user" }, 40, 390, 4],
  ["refused for its mailbox", { outcome: "refused", about: "mailbox", message: "552 mailbox full" }, 40, 390, 5],
])("a campaign mail that is %s writes few rows more", async (_, first, every, sent, most) => {
  const team = await createTeam();
  await addContacts(team, MAILS);
  const id = await addCampaign(team);
  const { perMail, byTable } = await team.inside(async (real) => {
    const { sql, byTable } = counted(real);
    let seen = 0;
    const { pump, runs, settled } = sendingOf(sql, (attempt) =>
      attempt === 1 && seen++ % every === 0 ? first : ACCEPTED,
    );
    startCampaign(contextOf(sql), campaignOf(sql, id));
    await runs.run(100);
    for (const work of pump.run()) void work;
    await settled(MAILS - MAILS / every);
    advance(3_600_000);
    for (const work of pump.run()) void work;
    await settled(sent);
    return figuresOf(byTable(), MAILS);
  });
  expect((perMail - AT_ONCE) * every, JSON.stringify(byTable)).toBeLessThanOrEqual(most);
});

it("a mail of a workflow writes at most 7.5 rows", async () => {
  const team = await createTeam();
  await addContacts(team, MAILS);
  const revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
  const { perMail, byTable } = await team.inside(async (real) => {
    const { sql, byTable } = counted(real);
    const { pump, settled } = sendingOf(sql, () => ACCEPTED);
    const content = marketingContent(sql, revision);
    for (let n = 1; n <= MAILS; n += 1) {
      const contact = contactInRow(sql, n) ?? expect.fail();
      acceptMarketing(contextOf(sql), { content, contact, domain: DOMAIN, run: 1 });
    }
    for (const work of pump.run()) void work;
    await settled(MAILS);
    return figuresOf(byTable(), MAILS);
  });
  expect(perMail, JSON.stringify(byTable)).toBeLessThanOrEqual(7.5);
});

it("a transactional mail writes 7 rows, 8 with an idempotency key, and 4 more if it is deferred", async () => {
  const team = await createTeam({ samples: true });
  const keyHash = await digest(team.key);
  const figures = await team.inside(async (real) => {
    const { sql, storage, byTable } = counted(real);
    let failures = 0;
    const { pump, settled } = sendingOf(sql, () =>
      failures-- > 0 ? { outcome: "deferred", message: "421 later" } : ACCEPTED,
    );
    let mails = 0;
    const send = async (key?: string) => {
      advance(60_000);
      byTable();
      const context = { ...contextOf(sql), freeMailer: () => pump.freeMailer() };
      const input = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
      const request = { operation: "transactional.send", input, ...(key === undefined ? {} : { idempotencyKey: key }) };
      expect(runRequest(storage, context, { keyHash, request })).toMatchObject({ status: 200 });
      for (const work of pump.run(context.after.sends)) void work;
      mails += 1;
      if (failures > 0) {
        await vi.waitFor(() =>
          expect(sql.exec("SELECT 1 FROM sends WHERE state = 'queued'").toArray()).toHaveLength(1),
        );
        advance(3_600_000);
        for (const work of pump.run()) void work;
      }
      await settled(mails);
      return Object.values(byTable()).reduce((sum, rows) => sum + rows, 0);
    };
    await send();
    const plain = await send();
    const withKey = await send("k");
    failures = 1;
    return { plain, withKey, deferred: await send() };
  });
  expect(figures.plain).toBe(7);
  expect(figures.withKey).toBe(8);
  // The new due time with its index, the second claim and its note.
  expect(figures.deferred).toBe(7 + 4);
});
