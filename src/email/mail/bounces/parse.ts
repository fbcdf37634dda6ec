import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { Feedback } from "../../types/feedback.ts";
import { readArf, readJmrp } from "./arf.ts";
import { boundedMail } from "./bounded.ts";
import { readDsn } from "./dsn.ts";
import { readNotice, senderOf } from "./notice.ts";
import { headerIn, type ReportFields } from "./report-fields.ts";
import { withoutTags } from "./without-tags.ts";

/** A bounce or complaint. `ignored` says why `feedback` is empty. */
export type Report = { feedback: Feedback[]; ignored?: string };

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 262_144, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };
const MAX_REPORT = 200_000;

/** Reads a bounce (RFC 3464 or text) or a complaint (RFC 5965). Never throws. */
export const parseReport = async (mail: Uint8Array): Promise<Report> => {
  try {
    return reportOf(await PostalMime.parse(boundedMail(mail), LIMITS));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { feedback: [], ignored: `not readable: ${reason.slice(0, 100)}` };
  }
};

const reportOf = (mail: Email): Report => {
  const returned = partOf(mail, RETURNED);
  const header = headerIn(returned ?? "");
  const abuse = partOf(mail, ["message/feedback-report"]);
  if (abuse !== undefined) {
    const read = readArf(abuse, header);
    return "complaint" in read ? { feedback: [read.complaint] } : { feedback: [], ignored: read.ignored };
  }
  const complaint = readJmrp(mail.subject ?? "", returned === undefined ? headersOf(mail) : header);
  if (complaint) return { feedback: [complaint] };
  const status = partOf(mail, ["message/delivery-status", "message/global-delivery-status"]);
  const feedback = status === undefined ? [] : readDsn(status, textIn(mail));
  return feedback.length > 0 ? { feedback } : noticeOf(mail);
};

const RETURNED = ["message/rfc822", "text/rfc822-headers", "text/rfc822", "message/global", "message/global-headers"];

const textIn = ({ text, html }: Email): string => text ?? withoutTags(html ?? "");

const noticeOf = (mail: Email): Report => {
  const header = headersOf(mail);
  const { address = "", name = "" } = mail.from ?? {};
  const subject = mail.subject ?? "";
  const sender = senderOf({ address, name });
  const failed = header.get("x-failed-recipients");
  if (partOf(mail, ["message/disposition-notification"]) !== undefined)
    return { feedback: [], ignored: "a receipt of a mail program" };
  const isAutomatic = isAnswer(header) && !isReport(header) && !(sender === "daemon" && isWarning(subject));
  const from = address.toLowerCase();
  const hasReturned = partOf(mail, RETURNED) !== undefined;
  const notice = { sender, from, subject, text: textIn(mail), failed, isAutomatic, hasReturned };
  const feedback = failed === undefined && ANSWER.test(subject) ? undefined : readNotice(notice);
  if (feedback) return { feedback };
  return { feedback: [], ignored: isAutomatic || ANSWER.test(subject) ? "an automatic answer" : "not a report" };
};

const isReport = (header: ReportFields): boolean => /^multipart\/report/i.test(header.get("content-type") ?? "");

/** Exim warns of a delay with the header of an answer. */
const isWarning = (subject: string): boolean => /^warning: message \S{1,40} delayed/i.test(subject);

const isAnswer = (header: ReportFields): boolean =>
  ["x-autoreply", "x-autorespond", "x-autorespond-from", "x-auto-reply-from", "x-auto-response-suppress"].some((name) =>
    header.has(name),
  ) ||
  /auto[-_ ]?reply|vacation/i.test(header.get("precedence") ?? "") ||
  /^auto-replied/i.test(header.get("auto-submitted") ?? "");

const ANSWER =
  /^(re: )?(out of (the )?office|automatic reply|auto(matic)?[- ]?(reply|response)|autoreply|vacation|abwesen|automatische antwort|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|resposta automática|自動応答|自动回复|автоматический ответ|автоответ)/i;

const headersOf = ({ headers }: Email): ReportFields => {
  const fields = new Map<string, string>();
  for (const { key, value } of headers) if (!fields.has(key)) fields.set(key, value.trim());
  return fields;
};

const partOf = ({ attachments }: Email, types: readonly string[]): string | undefined => {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType));
  return part && textOf(part);
};

const textOf = ({ content }: Attachment): string =>
  (typeof content === "string" ? content : new TextDecoder().decode(content)).slice(0, MAX_REPORT);
