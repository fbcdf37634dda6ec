import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { log } from "../../../lib/util/log.ts";
import { addressDigest } from "../../mail/links/address.ts";
import { CONFIRM_LINK, CONFIRMATION_URL } from "../../types/recipient.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { contactByEmail, type StoredContact } from "../contacts/contact-rows.ts";
import { readRevision } from "../content/messages.ts";
import { addConfirmationTemplate, CONFIRMATION_TEMPLATE, confirmationFault } from "../content/samples.ts";
import { publishedRevision } from "../content/templates.ts";
import type { Context } from "../core/context.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { acceptSend } from "../sending/sends.ts";
import { resolveValues } from "../sending/variables.ts";
import { readTeam } from "../team/team.ts";

/** The maximum confirmation mails per address in 24 hours. */
const LIMIT = 3;

export const CONFIRMATION_MAILS = `FROM sends s
       JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message JOIN templates t ON t.n = m.template
       WHERE s.recipient_key = ? AND s.preview = 0 AND t.id = ?`;

const sentTimes = ({ sql, now }: Context, email: string): number[] =>
  sql
    .exec<{ at: number }>(
      `SELECT s.created_at AS at ${CONFIRMATION_MAILS} AND s.created_at > ? ORDER BY s.created_at DESC LIMIT ?`,
      emailKey(email),
      CONFIRMATION_TEMPLATE,
      now - DAY_MS,
      LIMIT,
    )
    .toArray()
    .map(({ at }) => at);

/** The Mailer adds the link, because WebCrypto is asynchronous and a transaction cannot wait. */
const ask = (
  context: Context,
  { n, id, email }: Pick<StoredContact, "n" | "id" | "email">,
): { sendId: string } | { refusal: Refusal } => {
  const { sql, now, publicUrl } = context;
  const recipient = email ?? "";
  const times = sentTimes(context, recipient);
  if (times.length >= LIMIT) {
    const at = Math.min(...times) + DAY_MS;
    const message = `This address got ${LIMIT} confirmation mails in 24 hours. Try again after ${isoOf(at)}.`;
    return {
      refusal: { code: "confirmation_limit_reached", path: "email", message, retryAfter: Math.ceil((at - now) / 1000) },
    };
  }
  if (publicUrl === "") return { refusal: noAddress };
  const from = sendingDomainOf(context, "transactional");
  if ("refusal" in from) return from;
  const revision = publishedRevision(sql, CONFIRMATION_TEMPLATE)?.revision;
  if (revision == null) {
    const message = `The transactional email ${CONFIRMATION_TEMPLATE} is missing. Turn double opt-in off and on.`;
    return { refusal: { code: "template_not_published", message } };
  }
  const content = readRevision(sql, revision);
  const fault = confirmationFault(CONFIRMATION_TEMPLATE, content);
  if (fault) return { refusal: { code: "invalid_content", message: `${fault}.` } };
  const resolved = resolveValues(content, { dataVariables: { [CONFIRMATION_URL]: publicUrl } }, from.domain);
  if ("refusal" in resolved) return resolved;
  const values = { ...resolved.values, [CONFIRM_LINK]: [n, id, addressDigest(recipient)].join(" ") };
  return { sendId: acceptSend(context, { revision, recipient, values, domain: from.domain }).id };
};

/** Sends confirmation mails for pending addresses in the request's transaction. Failures are logged. */
export const askToConfirm = (context: Context): void => {
  for (const contact of context.after.pending) {
    const asked = ask(context, contact);
    if ("refusal" in asked) log("confirmation_not_sent", { contact: contact.id, code: asked.refusal.code });
  }
};

export const sendConfirmation = (context: Context, { email }: AdminInput<"confirmations.send">) => {
  const contact = contactByEmail(context.sql, email);
  if (!contact) {
    const message = "There is no contact with this email. Check it, or create the contact first.";
    return { refusal: { code: "contact_not_found", path: "email", message } as const };
  }
  if (contact.data.optInStatus !== "pending") {
    const is = contact.data.optInStatus === null ? "was never asked to confirm" : `is ${contact.data.optInStatus}`;
    const message = `This contact ${is}: only a pending one is asked again.`;
    return { refusal: { code: "not_pending", path: "email", message } as const };
  }
  const asked = ask(context, contact);
  return "refusal" in asked ? asked : { status: 201 as const, body: { success: true, id: asked.sendId } };
};

const noAddress: Refusal = {
  code: "invalid_request",
  path: "doubleOptIn",
  message:
    "PUBLIC_URL is not set on the email Worker: without it, the link of a confirmation mail has no address. Set it to the public address of that Worker.",
};

/** Checks the address, domain and template that double opt-in needs. */
export const prepareDoubleOptIn = (context: Context): Refusal | undefined => {
  if (context.publicUrl === "") return noAddress;
  const from = sendingDomainOf(context, "transactional");
  if ("refusal" in from) return from.refusal;
  addConfirmationTemplate(context, readTeam(context.sql).name);
  return undefined;
};
