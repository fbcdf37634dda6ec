import { expect } from "vitest";
import type { FeedbackKind } from "../../../../../src/email/types/feedback.ts";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import type { ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";
import { findCampaign, type StoredCampaign } from "../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { makeStep } from "../../../../../src/email/workspace/campaigns/slices.ts";
import { findRevision } from "../../../../../src/email/workspace/content/messages.ts";
import type { Context } from "../../../../../src/email/workspace/core/context.ts";
import { claimedMails, keepMails } from "../../../../../src/email/workspace/core/mailer-claims.ts";
import { createRunPump } from "../../../../../src/email/workspace/requests/slice-pump.ts";
import { createAnswerCounts } from "../../../../../src/email/workspace/sending/answer-counts.ts";
import { claimSends, settle } from "../../../../../src/email/workspace/sending/claims.ts";
import { applyFeedback } from "../../../../../src/email/workspace/sending/results/feedback.ts";
import { advance, MANUAL, runAlarm, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import { CONTENT } from "../workflows/runs/bench.ts";

/** Creates a campaign with a sendable message. Returns its id. */
export const addCampaign = async (team: Team, fields: object = {}): Promise<string> => {
  advance(1_100);
  const { status, text, json } = await team.post("/campaigns", { name: "News", ...fields });
  expect(status, text).toBe(201);
  expect((await team.post(`/email-messages/${json.emailMessageId}`, CONTENT)).status).toBe(200);
  return json.id;
};

export const addContacts = async (team: Team, emails: readonly string[], fields: object = {}): Promise<void> => {
  for (const email of emails) {
    const { status, text } = await team.post("/contacts/create", { email, ...fields });
    expect(status, text).toBe(200);
  }
};

export const campaignOf = (sql: SqlStorage, id: string): StoredCampaign =>
  (findCampaign({ sql }, id) as { campaign: StoredCampaign }).campaign;

type Act<T> = (context: Context, campaign: StoredCampaign) => T;

/** Calls a control function, as an admin route does, and continues the alarm. */
export const act = <T>(team: Team, id: string, run: Act<T> = startCampaign as Act<T>): Promise<T> =>
  team.inside(async (sql, storage) => {
    const context = contextOf(sql);
    const done = storage.transactionSync(() => run(context, campaignOf(sql, id)));
    await storage.setAlarm(Date.now());
    return done;
  });

/** Runs the alarm until the campaigns rest. The local inbox takes the mails. */
export const drive = async (team: Team): Promise<void> => {
  for (let runs = 0; runs < 10; runs++) {
    advance(1_000);
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
  }
};

export const progressOf = async (team: Team, id: string) => (await team.get(`/campaigns/${id}`)).json.delivery;

/** The recipients of the only campaign with their addresses, by contact. */
export const recipientsOf = (team: Team) =>
  team.rows(
    `SELECT c.email, iif(r.state = 'queued' AND e.sent_at IS NOT NULL, 'sent', r.state) AS state, r.reason
     FROM recipients r LEFT JOIN contacts c ON c.n = r.contact
       LEFT JOIN engagement e ON e.contact = r.contact AND e.run = 0 AND e.message = (SELECT message FROM campaigns WHERE n = r.campaign)
     ORDER BY r.contact`,
  );

/** A context with a domain for marketing mail. */
export const marketingContext = (sql: SqlStorage): Context => ({
  ...contextOf(sql),
  mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing"], notes: [] },
});

class Crash extends Error {}

/**
 * Takes slices with a new pump, as after an eviction. Slices with `crashes` are rolled back, and the pump stops
 * there.
 */
export const pumpSlices = async (
  storage: DurableObjectStorage,
  { slices = 1_000, crashes = () => false }: { slices?: number; crashes?: () => boolean } = {},
): Promise<void> => {
  const pump = createRunPump({
    context: () => marketingContext(storage.sql),
    transaction: (work) =>
      storage.transactionSync(() => {
        const done = work();
        if (crashes()) throw new Crash();
        return done;
      }),
    pause: async () => {},
    follow: () => {},
  });
  await pump.run(slices).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
};

export const pumpOnce = (sql: SqlStorage): Promise<void> =>
  pumpSlices({ sql, transactionSync: <T>(work: () => T) => work() } as DurableObjectStorage);

export const stepOnce = (sql: SqlStorage, id: string): void => makeStep(marketingContext(sql), campaignOf(sql, id).n);

/** Claims mail as for a Mailer: first the mail with rows, then that of the next recipients. */
export const claim = (sql: SqlStorage, limit = 50): ClaimedSend[] => {
  const wanted = { mailClass: "marketing", mailer: MANUAL, limit, copiesOf: () => [] } as const;
  const { sends, more } = claimSends({ sql, now: Date.now() }, wanted);
  const left = more ? 0 : limit - sends.length;
  const pump = createRunPump({
    context: () => marketingContext(sql),
    transaction: (work) => work(),
    pause: async () => {},
    follow: () => {},
  });
  const all = { copiesOf: () => [], left: () => Number.POSITIVE_INFINITY };
  const next = pump.claim({ ...all, limit: left, sieve: undefined });
  keepMails(sql, MANUAL, [...claimedMails(sql), ...next.mails]);
  return [...sends, ...next.sends];
};

type Attempt = { n: number; attempt: number };

/** Records the results of one answer of a Mailer. */
export const reportAll = (sql: SqlStorage, mails: readonly Attempt[], handover: Handover): void => {
  const open = claimedMails(sql);
  const counts = createAnswerCounts({ sql, now: Date.now() });
  for (const { n, attempt } of mails) {
    const mail = open.find((one) => one.n === n);
    settle(
      { sql, now: Date.now(), random: () => 0.5, counts },
      { n, attempt, sender: "test", handover },
      undefined,
      mail,
    );
  }
  counts.write();
  const left = open.filter((one) => mails.every(({ n }) => n !== one.n));
  if (left.length < open.length) keepMails(sql, MANUAL, left);
};

export const report = (sql: SqlStorage, mails: Attempt | readonly Attempt[], handover: Handover): void =>
  reportAll(sql, [mails].flat(), handover);

export const HANDOVERS = {
  accepted: { outcome: "accepted" },
  deferred: { outcome: "deferred", message: "421 4.3.2 later" },
  unknown: { outcome: "unknown", message: "The connection was lost." },
  refused: { outcome: "refused", about: "content", message: "554 5.6.0 no" },
  tooLarge: { outcome: "refused", about: "content", local: true, message: "The mail is too large." },
  mailboxFull: { outcome: "refused", about: "mailbox", message: "552 5.2.2 mailbox full" },
  noAddress: { outcome: "refused", about: "recipient", message: "550 5.1.1 no such user" },
} as const satisfies Record<string, Handover>;

export const hear = (sql: SqlStorage, n: number, kind: FeedbackKind): void => {
  applyFeedback({ sql, now: Date.now(), contentOf: (revision) => findRevision(sql, revision) }, "ses", {
    n,
    feedback: [{ kind, message: `250 ${kind}` }],
  });
};

/** Recipients by state, and the counts of a campaign. They agree when `sum` is `recipients`. */
export const sumsOf = (sql: SqlStorage, id: string) => {
  const { recipients, ...states } = campaignOf(sql, id).counts;
  return { recipients, ...states, sum: Object.values(states).reduce((sum, count) => sum + count, 0) };
};

/** Adds g1@gd.example, o2@other.example and so on, half of them at each. */
export const addHalves = (team: Team, count: number) =>
  team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1),
       a AS (SELECT i, iif(i % 2 = 1, 'g' || i || '@gd.example', 'o' || i || '@other.example') AS email FROM c)
     INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
     SELECT 'con_' || i, email, email, jsonb_object(
       'firstName', NULL, 'lastName', NULL, 'source', 'API', 'subscribed', json('true'), 'userGroup', '',
       'optInStatus', NULL, 'mailingLists', jsonb('{}'), 'properties', jsonb('{}')), 1, 1 FROM a`,
    count,
  );
