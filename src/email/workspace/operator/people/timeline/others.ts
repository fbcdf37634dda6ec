import { emailKey } from "../../../../../lib/util/email-key.ts";
import { wordsOfEnd } from "../../../../policy/workflows/run/explain.ts";
import type { End, Visit } from "../../../../policy/workflows/run/types.ts";
import { meaningOfRecipient } from "../../../campaigns/recipient-rows.ts";
import type { StoredContact } from "../../../contacts/contact-rows.ts";
import { meaningOfSuppression, suppressionOf } from "../../../sending/suppression.ts";
import { type Entries, type Entry, padded } from "./entry.ts";

export const MOST = 200;
const AHEAD_MS = 60_000;

/** Returns creation, last change and suppression. Earlier changes are not stored. */
export const ownEntries = (sql: SqlStorage, { email, createdAt, updatedAt }: StoredContact): Entry[] => {
  const suppression = email === null ? undefined : suppressionOf(sql, emailKey(email));
  return [
    { at: createdAt, key: "a", kind: "created", text: "The contact was created.", ids: {} },
    ...(updatedAt > createdAt
      ? [
          {
            at: updatedAt,
            key: "b",
            kind: "changed" as const,
            text: "The contact was last changed.",
            ids: {},
          },
        ]
      : []),
    ...(suppression
      ? [
          {
            at: suppression.at,
            key: "c",
            kind: "suppressed" as const,
            ids: {},
            text: `The address is suppressed. ${meaningOfSuppression(suppression.reason)}`.trim(),
          },
        ]
      : []),
  ];
};

/** Events until `until` (Unix ms), stored for 30 days. */
export const eventEntries = (sql: SqlStorage, { n }: StoredContact, until: number): Entries => {
  const rows = sql
    .exec<{ n: number; at: number; name: string; pattern: string }>(
      `SELECT e.n, e.at, p.name, p.id AS pattern FROM events e JOIN event_patterns p ON p.n = e.pattern
       WHERE e.contact = ? AND e.n < ? AND e.at <= ? ORDER BY e.n DESC LIMIT ?`,
      n,
      (until + AHEAD_MS) * 1_000,
      until,
      MOST,
    )
    .toArray();
  const entries = rows.map(
    ({ n: number, at, name, pattern }): Entry => ({
      at,
      key: `e${padded(number)}`,
      kind: "event",
      text: `The event "${name}" came.`,
      ids: { event: `evt_${number.toString(36)}`, pattern },
    }),
  );
  const oldest = rows.length < MOST ? undefined : rows.at(-1);
  return { entries, from: oldest?.at ?? Number.NEGATIVE_INFINITY };
};

type Run = {
  seq: number;
  at: number;
  since: number;
  ended: End | null;
  path: string;
  workflow: string | null;
  name: string | null;
};

/** Returns workflow entries until `until` (Unix ms) and their ends. */
export const workflowEntries = (sql: SqlStorage, { n }: StoredContact, until: number): Entries => {
  const rows = sql
    .exec<Run>(
      `SELECT r.seq, r.entered_at AS at, r.since, r.ended, r.path, w.id AS workflow, w.name FROM runs r
       LEFT JOIN workflows w ON w.n = r.workflow AND w.deleted_at IS NULL
       WHERE r.contact = ? AND r.entered_at <= ? ORDER BY r.entered_at DESC LIMIT ?`,
      n,
      until,
      MOST,
    )
    .toArray();
  const oldest = rows.length < MOST ? undefined : rows.at(-1);
  return { entries: rows.flatMap(passage), from: oldest?.at ?? Number.NEGATIVE_INFINITY };
};

const passage = ({ seq, at, since, ended, path, workflow, name }: Run): Entry[] => {
  const which = name === null ? "a workflow that was deleted" : `the workflow "${name}"`;
  const ids: Record<string, string> = workflow === null ? {} : { workflow };
  const key = `w${workflow ?? ""}-${padded(seq)}`;
  const entry = { at, key: `${key}-0`, kind: "workflow" as const, text: `The contact entered ${which}.`, ids };
  if (ended === null) return [entry];
  const why = wordsOfEnd(ended, (JSON.parse(path) as Visit[]).at(-1));
  return [
    entry,
    { at: since, key: `${key}-1`, kind: "workflow", text: `The passage through ${which} ended.`, why, ids },
  ];
};

type Skipped = {
  at: number | null;
  state: "skipped" | "cancelled";
  reason: string | null;
  campaign: string;
  name: string;
};

/** Returns campaigns with the contact as recipient but without a mail. */
export const campaignEntries = (sql: SqlStorage, { n }: StoredContact): Entry[] =>
  sql
    .exec<Skipped>(
      `SELECT coalesce(r.settled_at, c.finished_at, c.started_at) AS at, r.state, r.reason, c.id AS campaign, c.name
       FROM campaigns c CROSS JOIN recipients r ON r.campaign = c.n AND r.contact = ?
       WHERE r.send IS NULL AND r.state IN ('skipped', 'cancelled') ORDER BY c.n DESC LIMIT ?`,
      n,
      MOST,
    )
    .toArray()
    .flatMap(({ at, state, reason, campaign, name }) =>
      at === null
        ? []
        : [
            {
              at,
              key: `n${campaign}`,
              kind: "notSent" as const,
              ids: { campaign },
              text: `The contact did not get the campaign "${name}".`,
              why: meaningOfRecipient(state, reason),
            },
          ],
    );

type Past = {
  message: string;
  sent_at: number | null;
  opened_at: number | null;
  clicked_at: number | null;
  unsubscribed_at: number | null;
};

/** Returns data of mail deleted after 30 days. */
export const pastMailEntries = (sql: SqlStorage, { n }: StoredContact): Entry[] =>
  sql
    .exec<Past>(
      `SELECT m.id AS message, g.sent_at, g.opened_at, g.clicked_at, g.unsubscribed_at FROM engagement g
       JOIN email_messages m ON m.n = g.message LEFT JOIN sends s ON s.n = g.send
       WHERE g.contact = ? AND s.n IS NULL ORDER BY g.send DESC LIMIT ?`,
      n,
      MOST,
    )
    .toArray()
    .flatMap(({ message, sent_at, opened_at, clicked_at, unsubscribed_at }) => {
      const step = (at: number | null, kind: Entry["kind"], text: string): Entry[] =>
        at === null ? [] : [{ at, key: `p${message}-${kind}`, kind, text, ids: { emailMessage: message } }];
      return [
        ...step(sent_at, "send", "A mail was sent. Its row is deleted, because it is older than 30 days."),
        ...step(opened_at, "opened", "It was opened."),
        ...step(clicked_at, "clicked", "A link of it was opened."),
        ...step(unsubscribed_at, "unsubscribed", "The recipient unsubscribed."),
      ];
    });
