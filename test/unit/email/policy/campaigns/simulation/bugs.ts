import { replaced } from "../../../workspace/sending/simulation/planted.ts";
import type { ObjectBug } from "../../workflows/simulation/object.ts";
import { type IsAboutMail, type NextStep, sizes } from "./sizes.ts";
import type { Settings } from "./world.ts";

export type Bug = ObjectBug & {
  nextStep?: (real: NextStep) => NextStep;
  isAboutMail?: () => IsAboutMail;
  /** Settings in which the bug is frequent: otherwise thousands of seeds would not find it. */
  settings?: Partial<Settings>;
};

const unguarded: NonNullable<Bug["claims"]> = (query, rows, { values: [n], attemptOf }) =>
  query.startsWith("SELECT id, state, attempts, recipient, message_id")
    ? rows.map((row) => ({ ...row, state: "sending", due: 1, attempts: attemptOf(Number(n)) ?? row.attempts ?? 0 }))
    : rows;

/** Bugs that the simulation has to find. `seed`: one that finds it. */
export const BUGS: Record<string, Bug & { seed: number }> = {
  "the cursor moves in another transaction than the mails": {
    seed: 1,
    deferred: (query) => query.startsWith("UPDATE campaigns SET queued = queued - ?, skipped"),
  },
  "the cursor moves before the mails are written": {
    seed: 1,
    deferred: (query) => query.startsWith("INSERT INTO sends"),
  },
  "suppression is checked when a mail is queued only": {
    seed: 11,
    claims: (query, rows) => (query.includes("FROM suppressions") ? [] : rows),
  },
  "the subscription is checked when a mail is queued only": {
    seed: 3,
    claims: (_, rows) =>
      rows.map((row) => {
        if (typeof row.data !== "string") return row;
        const data = { ...JSON.parse(row.data), subscribed: true, optInStatus: null, mailingLists: { lst_1: true } };
        return { ...row, data: JSON.stringify(data) };
      }),
  },
  "a result that is reported twice is counted twice": {
    seed: 1,
    claims: unguarded,
    mutate: (query) =>
      query.includes("TRIGGER marketing_counted")
        ? query.replace("NEW.state <> OLD.state AND", "").replaceAll(/AND OLD.state NOT IN \('sent'[^)]*\)/g, "")
        : query,
  },
  "a paused campaign goes on": {
    seed: 47,
    nextStep: (real) => (campaign, now, canSend) =>
      real({ ...campaign, state: campaign.state === "paused" ? "sending" : campaign.state }, now, canSend),
  },
  "mail of a paused campaign is claimed": {
    seed: 3,
    claims: (_, rows) => rows.map((row) => (row.state === "held" ? { ...row, state: "sending" } : row)),
  },
  "a campaign is done when all its mail is in the ledger": {
    seed: 1,
    nextStep: (real) => (campaign, now, canSend) =>
      real(
        {
          ...campaign,
          counts: campaign.counts.queued > 0 ? campaign.counts : { ...campaign.counts, queued: 0, inLedger: 0 },
        },
        now,
        canSend,
      ),
  },
  "the window does not count mail in the ledger": {
    seed: 3,
    nextStep: (real) => (campaign, now, canSend) => {
      const { queued, inLedger } = campaign.counts;
      const counts = { ...campaign.counts, inLedger: queued > 0 ? 0 : inLedger };
      return real({ ...campaign, counts }, now, canSend);
    },
  },
  "mail of a cancelled campaign leaves": {
    seed: 3,
    mutate: (query) =>
      replaced(
        "CASE WHEN state = 'cancelled' THEN state WHEN",
        "CASE WHEN",
      )(replaced("WHERE state = 'queued' AND n IN (SELECT e.send", "WHERE 0 AND n IN (SELECT e.send")(query)),
  },
  "a mail that comes back after a cancel waits for a claim": {
    seed: 70,
    settings: { people: 40, hours: 1, trouble: 0.3, hangs: 0.2, limits: [null, null, 10] },
    mutate: replaced(
      "WHERE n = ? AND state = 'queued' RETURNING 1",
      "WHERE 0 AND n = ? AND state = 'queued' RETURNING 1",
    ),
  },
  "an unknown mail that is sent after all stays counted as unknown": {
    seed: 16,
    mutate: replaced("(NEW.state = 'unknown') - (OLD.state = 'unknown')", "(NEW.state = 'unknown')"),
  },
  "an unknown mail that is not sent again was never sent": {
    seed: 55,
    mutate: replaced("'unknown', 'not_sent')", "'not_sent', 'not_sent')"),
  },
  "a retry ends after its first slice": {
    seed: 16,
    mutate: replaced(
      "UPDATE campaigns SET pass = ?, pass_cursor = ?",
      "UPDATE campaigns SET pass = nullif(?, 'retry'), pass_cursor = ?",
    ),
  },
  "a retry counts its mails in another transaction": {
    seed: 23,
    deferred: (query) => query.startsWith("INSERT OR REPLACE INTO kept_counts"),
  },
  "only the first recipients of a start that was taken back are deleted": {
    seed: 6,
    mutate: replaced("pass = iif(?1, NULL, pass)", "pass = NULL"),
  },
  "the segment is read at each slice": {
    seed: 19,
    mutate: replaced(
      "c.segment_filter AS segmentFilter",
      "(SELECT filter FROM segments WHERE id = c.segment) AS segmentFilter",
    ),
  },
  "contacts that are created after the start are recipients": {
    seed: 90,
    mutate: replaced("reason = NULL, max_contact = ?", "reason = NULL, max_contact = ? + 9000"),
  },
  "a late campaign starts": {
    seed: 92,
    nextStep: (real) => (campaign, now, canSend) =>
      real(campaign, campaign.status === "Scheduled" ? Math.min(now, (campaign.scheduledAt ?? now) + 1) : now, canSend),
  },
  "a scheduled campaign does not set the alarm": {
    seed: 2,
    mutate: replaced("status = 'Scheduled' AND scheduled_at > ", "0 AND scheduled_at > "),
  },
  "contacts that may get mail are skipped": {
    seed: 1,
    mutate: replaced(
      "iif(reason IS NULL, 'queued', 'skipped'), reason,",
      "iif(n % 2, 'queued', 'skipped'), 'unsubscribed',",
    ),
  },
  "the alarm does not set the next one": { seed: 1, alarm: "lost" },
  "a deleted contact stays a recipient": {
    seed: 1,
    mutate: replaced("DELETE FROM recipients WHERE", "DELETE FROM recipients WHERE 0 AND"),
  },
  "a refused mail fails at once": {
    seed: 5,
    claims: (query, rows) => (query.includes("c.refusals, coalesce(") ? [] : rows),
  },
  "a second refusal is final although the mail provider takes no mail": {
    seed: 8,
    claims: (query, rows) =>
      query.includes("c.refusals, coalesce(") ? rows.map((row) => ({ ...row, taken: Number(row.taken) + 100 })) : rows,
  },
  "refusals count in a row although the mail provider takes mail between them": {
    seed: 8,
    claims: (query, rows) =>
      query.includes("c.refusals, coalesce(") ? rows.map((row) => ({ ...row, taken: 0 })) : rows,
    nextStep: (real) => (campaign, now, canSend) =>
      real({ ...campaign, counts: { ...campaign.counts, sent: 0 } }, now, canSend),
  },
  "refusals with which a mail fails do not count in a row": {
    seed: 68,
    isAboutMail: () => {
      const failed = new Map<string, number>();
      return (real, { at, ...refusals }, of) => {
        const row = `${refusals.from} ${of.taken}`;
        const before = failed.get(row) ?? 0;
        const isFinal = real({ ...refusals, at: at.slice(0, Math.max(1, at.length - before)) }, of);
        failed.set(row, before + Number(isFinal));
        return isFinal;
      };
    },
  },
  "only a row of refusals holds a campaign, and not their share": {
    seed: 25,
    isAboutMail: () => (real, refusals, of) => real({ ...refusals, at: refusals.at.slice(1 - sizes.refused) }, of),
    nextStep: (real) => (campaign, now, canSend) => {
      const { refusals, counts } = campaign;
      const isInRow = refusals?.at.slice(-sizes.refused).every((at) => at === counts.sent) === true;
      const at = refusals?.at.slice(isInRow ? 0 : 1 - sizes.refused) ?? [];
      return real({ ...campaign, refusals: refusals && { ...refusals, at } }, now, canSend);
    },
  },
  "a mail of many fails as one of a few": {
    seed: 49,
    isAboutMail: () => (real, refusals, of) => real(refusals, { ...of, open: 1 }),
  },
  "the last few mails hold a campaign of which the mail provider has taken others": {
    seed: 10,
    nextStep: (real) => (campaign, now, canSend) => {
      const { counts } = campaign;
      const many = { ...campaign, counts: { ...counts, inLedger: counts.inLedger + sizes.refused } };
      const step = counts.inLedger > 0 ? real(many, now, canSend) : undefined;
      return step?.act === "hold" ? step : real(campaign, now, canSend);
    },
  },
  "a few mails that are sent again hold a campaign that was done": {
    seed: 86,
    settings: { people: 12, hours: 4, trouble: 0, hangs: 0.3, barred: 2, moody: 0 },
    nextStep: (real) => (campaign, now, canSend) => {
      const { again: _, ...refusals } = campaign.refusals ?? { at: [], from: 0, words: "" };
      return real({ ...campaign, refusals: campaign.refusals && refusals }, now, canSend);
    },
  },
  "send limits are erased at a restart": {
    seed: 54,
    mutate: replaced("SELECT at, count FROM claimed_mails ORDER", "SELECT at, count FROM claimed_mails WHERE 0 ORDER"),
  },
};
