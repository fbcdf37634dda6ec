import { email } from "../../../lib/contract/email.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { compileMessage, type FieldProblem } from "../../../lib/lmx/message/compile-message.ts";
import { changed, FALLBACKS, type MessageSource, senderFault } from "../../../lib/lmx/message/message-source.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { lockOf } from "../../policy/campaigns/locked.ts";
import type { Handlers } from "../core/handler.ts";
import { invalidContent, listed, tooLarge, tooManyFallbacks } from "./content-refusals.ts";
import { inspectStored, KEPT, keptAdvice } from "./inspect.ts";
import { libraryOf } from "./library.ts";
import { addRevision, findMessage, type MessageRow, messageNotFound, revisionId, sourceOf } from "./messages.ts";

const warningsOf = (problems: readonly FieldProblem[], kept: string | null) =>
  [
    ...(kept === null ? [] : [{ rule: KEPT, path: "lmx", message: keptAdvice(kept) }]),
    ...problems.map(listed),
    // The published schema has no other severity.
  ].map((one) => ({ ...one, severity: "warning" as const }));

const shown = (row: MessageRow, source = sourceOf(row), warnings: ReturnType<typeof warningsOf> = []) => ({
  id: row.id,
  ...(row.transactional === null ? {} : { transactionalId: row.transactional }),
  ...(row.campaign === null ? {} : { campaignId: row.campaign }),
  ...(row.workflow === null ? {} : { workflowId: row.workflow }),
  ...source,
  contentRevisionId: revisionId(row.content),
  updatedAt: isoOf(row.updated_at),
  ...(warnings.length === 0 ? {} : { warnings }),
});

export const emailMessages: Omit<Handlers<"emailMessages">, "preview"> = {
  get({ sql }, { emailMessageId }) {
    const row = findMessage(sql, emailMessageId);
    if (!row) return messageNotFound(emailMessageId);
    const source = sourceOf(row);
    const { problems } = compileMessage(source, row.kind, libraryOf(sql, source.lmx));
    return { body: shown(row, source, warningsOf(problems, row.kept)) };
  },

  update(context, { emailMessageId, expectedRevisionId, ...changes }) {
    const row = findMessage(context.sql, emailMessageId);
    if (!row) return messageNotFound(emailMessageId);
    const refusal =
      lockRefusal(row, expectedRevisionId) ?? copyRefusal(row, changes) ?? fieldRefusal(changes, context.domain);
    if (refusal) return { refusal };
    const before = sourceOf(row);
    const source = changed(before, changes);
    const large = fallbackRefusal(source, changes);
    if (large) return { refusal: large };
    const library = libraryOf(context.sql, source.lmx);
    const { compiled, uses, problems } = compileMessage(source, row.kind, library);
    if (!compiled) return { refusal: invalidContent(problems.filter(({ severity }) => severity === "error")) };
    const text = JSON.stringify(source);
    if (text === JSON.stringify(before)) return { body: shown(row, source, warningsOf(problems, row.kept)) };
    const content = addRevision(context, row.n, { source: text, compiled: JSON.stringify(compiled), uses });
    return { body: shown({ ...row, content, updated_at: context.now }, source, warningsOf(problems, null)) };
  },

  guardian({ sql }, { emailMessageId }) {
    const row = findMessage(sql, emailMessageId);
    return row ? { body: inspectStored(sql, row).verdict } : messageNotFound(emailMessageId);
  },
};

const lockRefusal = (row: MessageRow, expected: string | undefined): Refusal | undefined => {
  const { kind, draft, transactional, content } = row;
  if (kind === "workflow" && row.locked) return workflowLock(row);
  const lock = row.status && lockOf(row.status, row.state);
  if (lock) {
    const message = `The campaign ${row.campaign} ${lock}.`;
    return { code: "email_message_locked", path: "emailMessageId", message };
  }
  if (kind === "transactional" && !draft) {
    const message = `This message has been published and stays as it is. POST /v1/transactional-emails/${transactional}/draft gives a draft to edit.`;
    return { code: "message_published", path: "emailMessageId", message };
  }
  const current = revisionId(content);
  if (expected === undefined || expected === current) return undefined;
  const message = `The message has been changed since ${expected}. Its current revision is ${current}: read it, then send your change with that expectedRevisionId.`;
  return { code: "revision_conflict", path: "expectedRevisionId", message, detail: { contentRevisionId: current } };
};

const workflowLock = ({ workflow, locked }: MessageRow): Refusal => {
  const message =
    locked === "sending"
      ? `The workflow ${workflow} is sending this message. Pause the workflow, then edit the message.`
      : "The node that sent this message was deleted, so the message stays as it is.";
  return { code: "email_message_locked", path: "emailMessageId", message };
};

/** Campaigns allow no copies: their reader would get one per recipient. */
const copyRefusal = (
  { kind }: MessageRow,
  changes: { ccEmail?: string | undefined; bccEmail?: string | undefined },
): Refusal | undefined => {
  const field = (["ccEmail", "bccEmail"] as const).find((one) => changes[one]);
  if (kind !== "campaign" || field === undefined) return undefined;
  const message = `${field}: the message of a campaign has no copies, because each of its mails would make one.`;
  return { code: "invalid_request", path: field, message };
};

/** Fallbacks of several edits add up, so the total is measured. */
const fallbackRefusal = (source: MessageSource, changes: object): Refusal | undefined => {
  const field = FALLBACKS.find((one) => one in changes);
  return field === undefined
    ? undefined
    : tooManyFallbacks(
        FALLBACKS.map((one) => source[one]),
        field,
      );
};

type Changes = Partial<Pick<MessageSource, "lmx" | "fromEmail" | "replyToEmail" | "ccEmail" | "bccEmail">>;

/** Checks field rules that the contract's schema cannot express. */
export const fieldRefusal = (
  changes: { [Field in keyof Changes]: Changes[Field] | undefined },
  domain: string,
): Refusal | undefined => {
  const { lmx = "", fromEmail = "" } = changes;
  const large = tooLarge(lmx);
  if (large) return large;
  const sender = senderFault(fromEmail, domain);
  if (sender === "whole") {
    const message = `fromEmail: must be only the part before the @. Mail of this team comes from ${domain}.`;
    return { code: "invalid_request", path: "fromEmail", message };
  }
  if (sender === "unusable") {
    const message = `fromEmail: "${fromEmail}@${domain}" would be no email address.`;
    return { code: "invalid_request", path: "fromEmail", message };
  }
  for (const field of ["replyToEmail", "ccEmail", "bccEmail"] as const) {
    const address = changes[field] ?? "";
    // An address with a variable is checked when filled.
    if (address === "" || address.includes("{")) continue;
    const wrong = email.safeParse(address).error?.issues[0]?.message;
    if (wrong !== undefined) return { code: "invalid_request", path: field, message: `${field}: ${wrong}` };
  }
  return undefined;
};
