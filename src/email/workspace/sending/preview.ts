import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { newestMessage } from "../content/cascade.ts";
import { messageNotFound, readRevision } from "../content/messages.ts";
import type { Handlers } from "../core/handler.ts";
import { possibleAt, type Quota, remainingOf } from "../core/quota.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { acceptSend } from "./sends.ts";
import { resolveValues } from "./variables.ts";

/** Mails to suppressed addresses count too. */
export const PREVIEWS: Quota = {
  limit: 100,
  windowMs: DAY_MS,
  times: "SELECT created_at AS at FROM sends WHERE preview = 1",
};

export const previewMessage: Handlers<"emailMessages">["preview"] = (context, { emailMessageId, emails, ...given }) => {
  const { sql, now } = context;
  const row = newestMessage(context, emailMessageId);
  if (!row) return messageNotFound(emailMessageId);
  if (row.draft && row.kept !== null) {
    const guardian = `GET /v1/email-messages/${emailMessageId}/guardian lists what to fix`;
    const message = `The draft cannot be sent since one of its components was changed: ${row.kept} (${guardian}).`;
    return { refusal: { code: "draft_not_sendable", path: "emailMessageId", message } };
  }
  const from = sendingDomainOf(context, "transactional");
  if ("refusal" in from) return from;
  const resolved = resolveValues(readRevision(sql, row.revision), given, from.domain);
  if ("refusal" in resolved) return resolved;
  const keys = emails.map(emailKey);
  const recipients = emails.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
  const remaining = remainingOf(sql, PREVIEWS, now);
  if (recipients.length > remaining) {
    const at = possibleAt(sql, PREVIEWS, recipients.length);
    const until = `Try again after ${isoOf(at)}`;
    const left = remaining === 0 ? until : `${until}, or with at most ${remaining} now`;
    const message = `The team may send ${PREVIEWS.limit} previews in 24 hours, and ${remaining} are left. ${left}.`;
    return {
      refusal: { code: "preview_quota_used", path: "emails", message, retryAfter: Math.ceil((at - now) / 1000) },
    };
  }
  const { values } = resolved;
  const sends = recipients.map((email) => {
    const mail = { revision: row.revision, recipient: email, values, domain: from.domain, preview: true } as const;
    const { id, state } = acceptSend(context, mail);
    return { id, state, email };
  });
  return { body: { id: emailMessageId, sends } };
};
