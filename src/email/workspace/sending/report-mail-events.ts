import type {
  MailEventType,
  MailSource,
  MarketingEventType,
  ReportedList,
} from "../../../lib/contract/outgoing-events.ts";
import {
  mailDataOf,
  marketingDataOf,
  type ReportedMail,
  SENT_TYPES,
  sentEventOf,
} from "../../../lib/webhook/mail-events.ts";
import { contactByEmail, contactInRow } from "../contacts/contact-rows.ts";
import { reportedList } from "../contacts/report.ts";
import { emit } from "../webhooks/emit.ts";
import { endpointsFor } from "../webhooks/endpoints.ts";

type Clock = { sql: SqlStorage; now: number };

type Row = {
  id: string;
  recipient: string;
  message: string;
  subject: string | null;
  template: string | null;
  name: string | null;
  contact: number | null;
  list: string | null;
  origin: string | null;
  workflow: string | null;
  campaign: string | null;
};

const sourceOf = (sql: SqlStorage, { template, name, list, ...row }: Row): MailSource | undefined => {
  if (template !== null)
    return { sourceType: "transactional", transactionalId: template, transactionalName: name ?? "" };
  const mailingList = list === null ? undefined : reportedList(sql, list);
  return marketingSource({ ...row, mailingLists: mailingList ? [mailingList] : [] });
};

type Marketing = Pick<Row, "origin" | "workflow" | "campaign"> & { mailingLists: ReportedList[] };

const marketingSource = ({ origin, workflow, campaign, mailingLists }: Marketing): MailSource | undefined => {
  if (origin?.startsWith("wfl_")) {
    return { sourceType: "loop", loopId: origin, loopName: workflow ?? "", mailingLists };
  }
  return origin?.startsWith("cmp_")
    ? { sourceType: "campaign", campaignId: origin, campaignName: campaign ?? "", mailingLists }
    : undefined;
};

const mailOf = (sql: SqlStorage, n: number): ReportedMail | undefined => {
  const row = sql
    .exec<Row>(
      `SELECT s.id, s.recipient, m.id AS message, json_extract(r.source, '$.subject') AS subject, t.id AS template, t.name,
         s.contact, s.list, s.origin, w.name AS workflow, c.name AS campaign
       FROM sends s JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message
       LEFT JOIN templates t ON t.n = m.template LEFT JOIN workflows w ON w.id = s.origin LEFT JOIN campaigns c ON c.id = s.origin
       WHERE s.n = ? AND s.preview = 0`,
      n,
    )
    .toArray()[0];
  const source = row && sourceOf(sql, row);
  if (!source) return undefined;
  const contact = row.contact === null ? contactByEmail(sql, row.recipient) : contactInRow(sql, row.contact);
  return {
    contactIdentity: { id: contact?.id ?? "", email: row.recipient, userId: contact?.userId ?? null },
    email: { id: row.id, emailMessageId: row.message, subject: row.subject ?? "" },
    source,
  };
};

/** Reports acceptance by a mail provider. `n`: of the send. */
export const reportSent = (clock: Clock, n: number): void => {
  const mail = endpointsFor(clock.sql, ...SENT_TYPES).length > 0 ? mailOf(clock.sql, n) : undefined;
  if (!mail) return;
  const { type, data } = sentEventOf(mail);
  emit(clock, type, data);
};

/** Reports a result after acceptance, or a missing recipient. */
export const reportMail = (clock: Clock, type: MailEventType, n: number): void =>
  emit(clock, type, () => {
    const mail = mailOf(clock.sql, n);
    return mail && mailDataOf(mail);
  });

export const reportMarketing = (clock: Clock, type: MarketingEventType, n: number): void =>
  emit(clock, type, () => {
    const mail = mailOf(clock.sql, n);
    return mail && marketingDataOf(mail);
  });
