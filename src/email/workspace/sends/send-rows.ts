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
