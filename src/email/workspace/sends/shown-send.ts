import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { senderNamed } from "../../delivery/senders/list.ts";
import { isHeld } from "../sending/waiting-mails.ts";
import { withCodeExplained } from "./codes.ts";

/** A send with its transactional email. `held`: 1 while its workflow or campaign is paused. */
export type SendRow = {
  n: number;
  id: string;
  class: string;
  revision: number;
  recipient: string;
  recipient_key: string;
  message_id: string;
  state: string;
  attempts: number;
  due: number | null;
  sender: string | null;
  reply: string | null;
  error: string | null;
  has_values: number;
  created_at: number;
  settled_at: number | null;
  preview: number;
  origin: string | null;
  idempotency_key: string | null;
  revision_at: number | null;
  is_newest: number;
  content: number | null;
  message: string | null;
  template_id: string | null;
  template_name: string | null;
  workflow_name: string | null;
  campaign_name: string | null;
  held: number;
};

const SELECT = `SELECT s.n, s.id, s.class, s.revision, s.recipient, s.recipient_key, s.message_id, s.state, s.attempts, s.due, s.sender, s.reply,
    s.error, s.variables IS NOT NULL AS has_values, s.created_at, s.settled_at, s.preview, s.origin,
    s.idempotency_key, r.created_at AS revision_at, m.revision IS s.revision AS is_newest,
    r.content, m.id AS message, t.id AS template_id, t.name AS template_name, w.name AS workflow_name, c.name AS campaign_name,
    s.state = 'queued' AND (w.status IS NOT NULL AND w.status <> 'Sending' OR c.state IS NOT NULL AND c.state IN ('paused', 'held')) AS held
  FROM sends s
  LEFT JOIN message_revisions r ON r.n = s.revision
  LEFT JOIN email_messages m ON m.n = r.message
  LEFT JOIN templates t ON t.n = m.template
  LEFT JOIN workflows w ON w.id = s.origin AND w.deleted_at IS NULL
  LEFT JOIN campaigns c ON c.id = s.origin`;

export const readSend = (sql: SqlStorage, n: number): SendRow => sql.exec<SendRow>(`${SELECT} WHERE s.n = ?`, n).one();

/** Returns a send for a list, without mail values. */
export const shown = (row: SendRow, problem?: string) => ({
  id: row.id,
  class: row.class,
  to: row.recipient,
  state: row.state,
  meaning: meaningOf(row, problem),
  preview: row.preview === 1,
  template: named(row.template_id, row.template_name),
  campaign: named(row.origin, row.campaign_name),
  workflow: named(row.origin, row.workflow_name),
  attempts: row.attempts,
  acceptedAt: isoOf(row.created_at),
  nextAttemptAt: nextAttemptOf(row),
  settledAt: isoOrNull(row.settled_at),
});

const named = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, name });

/** The first attempt follows at once. Only a later attempt, or a wait for a limit, has a time. */
const nextAttemptOf = ({ state, attempts, due, error, held }: SendRow): string | null =>
  state === "queued" && (attempts > 0 || error !== null) && due !== null && !held && !isHeld(due) ? isoOf(due) : null;

const NOT_SENT: Readonly<Record<string, string>> = {
  suppressed: "It was not sent, because the address was suppressed.",
  unsubscribed: "It was not sent, because the person had unsubscribed.",
  not_confirmed: "It was not sent, because the person has not confirmed the subscription.",
  erased: "It was not sent, because the person was erased.",
  contact_deleted: "It was not sent, because the contact was deleted.",
  message_deleted: "It was not sent, because its message was deleted.",
  workflow_deleted: "It was not sent, because its workflow was deleted.",
  campaign_cancelled: "It was not sent, because its campaign was cancelled.",
  no_email: "It was not sent, because the contact had no address.",
  not_on_list: "It was not sent, because the contact was not on the mailing list.",
};

/** Returns the state of a send in words. `problem`: a provider pause or a full send limit. */
export const meaningOf = (
  row: Pick<SendRow, "state" | "attempts" | "sender" | "error" | "held" | "origin">,
  problem?: string,
): string => {
  const { state, attempts, sender } = row;
  const because = row.error === null ? "" : `: ${withCodeExplained(row.error)}`;
  switch (state) {
    case "queued":
      if (row.held) return waitsFor(row.origin?.startsWith("cmp_") ? "campaign" : "workflow");
      if (problem !== undefined) return sentence(`It waits: ${problem}`);
      if (attempts === 0 && row.error !== null) return sentence(`It waits${because}`);
      return attempts === 0 ? "It waits for its first attempt." : sentence(`It waits for its next attempt${because}`);
    case "sending":
      return `Attempt ${attempts} is in flight.`;
    case "sent":
      return senderNamed(sender ?? "")?.local
        ? "It is in the local inbox: no mail left."
        : "The mail provider took it. No bounce is known.";
    case "delivered":
      return "The mail server of the recipient took it.";
    case "bounced":
      return sentence(`It bounced${because}`);
    case "complained":
      return "The recipient reported it as spam.";
    case "not_sent":
      return NOT_SENT[row.error ?? ""] ?? sentence(`It was not sent${because}`);
    case "unknown":
      return sentence(`It may have been sent, so it is not sent again by itself${because}`);
    default:
      return sentence(`It failed${because}`);
  }
};

const waitsFor = (origin: string): string =>
  `It is held: its ${origin} is paused. It is sent after the ${origin} is resumed.`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
