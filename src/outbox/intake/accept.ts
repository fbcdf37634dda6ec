import { learn, type Rows } from "../identity/links.ts";
import { find, insert, retireDigest } from "../journal/journal.ts";
import { acceptedAt, idOf } from "../model/calls.ts";
import type { Call, PlannedWebhook, Receipt } from "../model/types.ts";

const DAY = 86_400_000;
/** Ms that a provider's clock may be ahead of ours. */
const CLOCK_SKEW = 300_000;

/** What accepting a webhook changed: its receipt, the calls that now wait, and the keys of people who may be others now. */
export type Acceptance = { receipt: Receipt; seq: number; calls: Call[]; relinked: string[] };

/**
 * Journals a webhook with its calls, unless it was accepted before. Runs inside the caller's transaction.
 *
 * @param seq the place it gets in the journal
 * @param rows where who is who is read
 */
export const accept = (sql: SqlStorage, given: PlannedWebhook, seq: number, now: number, rows: Rows): Acceptance => {
  // Nothing has happened yet that is still to come: a clock that is far ahead must not outdo all later webhooks.
  const webhook = { ...given, occurredAt: Math.min(given.occurredAt, now + CLOCK_SKEW) };
  const { skip, lane } = webhook;
  const calls = webhook.calls.map(
    (call): Call => ({
      ...call,
      ...(lane === undefined ? {} : { lane }),
      ...(skip === undefined ? { state: "waiting" } : { state: "skipped", message: skip, settledAt: now }),
      due: now,
      attempts: [],
    }),
  );
  // Nearly all are new: whether one is known is found out by writing it.
  const known = insert(sql, seq, webhook, calls) ? undefined : find(sql, webhook.source, webhook.eventId);
  if (known && webhook.digest && now - acceptedAt(known.seq) >= DAY) {
    retireDigest(sql, known.seq, webhook.eventId);
    insert(sql, seq, webhook, calls);
  } else if (known) {
    const receipt = { id: idOf(known.seq), duplicate: true, calls: known.calls.length };
    return { receipt, seq: known.seq, calls: [], relinked: [] };
  }
  const relinked = learn(sql, webhook.links, webhook.occurredAt, now, rows);
  return { receipt: { id: idOf(seq), duplicate: false, calls: calls.length }, seq, calls, relinked };
};
