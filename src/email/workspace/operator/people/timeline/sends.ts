import type { TimelineKind } from "../../../../../lib/contract/admin/email/people/contacts.ts";
import { emailKey } from "../../../../../lib/util/email-key.ts";
import type { StoredContact } from "../../../contacts/contact-rows.ts";
import { storyOf } from "../../../sends/send-history.ts";
import { readSend, type SendRow } from "../../../sends/send-rows.ts";
import { meaningOf } from "../../../sends/send-state-words.ts";
import { type Entries, type Entry, padded } from "./entry.ts";

export const MOST_SENDS = 300;
const AHEAD_MS = 60_000;

const KINDS: Readonly<Record<string, TimelineKind>> = {
  not_sent: "notSent",
  failed: "notSent",
  delivered: "delivered",
  bounced: "bounced",
  soft_bounced: "bounced",
  complained: "complained",
  opened: "opened",
  clicked: "clicked",
  unsubscribed: "unsubscribed",
  resubscribed: "resubscribed",
  confirmed: "confirmed",
  declined: "declined",
};

/** Returns the newest sends until `until` (Unix ms) to the current address, and marketing mail to former addresses. */
export const sendEntries = (sql: SqlStorage, { n, email }: StoredContact, until: number): Entries => {
  const numbers = sql
    .exec<{ n: number }>(
      `SELECT n FROM (
         SELECT n FROM (SELECT n FROM sends WHERE recipient_key = ?1 AND n < ?3 AND created_at <= ?4 ORDER BY n DESC LIMIT ?5)
         UNION
         SELECT n FROM (SELECT s.n FROM engagement g CROSS JOIN sends s ON s.n = g.send
           WHERE g.contact = ?2 AND s.n < ?3 AND s.created_at <= ?4 ORDER BY s.n DESC LIMIT ?5)
       ) ORDER BY n DESC LIMIT ?5`,
      email === null ? "" : emailKey(email),
      n,
      (until + AHEAD_MS) * 1_000,
      until,
      MOST_SENDS,
    )
    .toArray()
    .map((row) => row.n);
  const rows = numbers.map((number) => readSend(sql, number));
  const oldest = rows.length < MOST_SENDS ? undefined : rows.at(-1);
  return { entries: rows.flatMap((row) => entriesOf(sql, row)), from: oldest?.created_at ?? Number.NEGATIVE_INFINITY };
};

const entriesOf = (sql: SqlStorage, row: SendRow): Entry[] =>
  storyOf(sql, row).map(({ at, what, text }, position) => ({
    at: Date.parse(at),
    key: `s${padded(row.n)}-${padded(position)}`,
    kind: KINDS[what] ?? "send",
    text,
    ...(what === "accepted" ? { why: meaningOf(row) } : {}),
    ids: idsOf(row),
  }));

const idsOf = ({ id, origin, template_id: template }: SendRow): Record<string, string> => ({
  send: id,
  ...(template === null ? {} : { template }),
  ...(origin?.startsWith("cmp_") ? { campaign: origin } : {}),
  ...(origin?.startsWith("wfl_") ? { workflow: origin } : {}),
});
