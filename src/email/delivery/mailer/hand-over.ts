import type { Values } from "../../../lib/lmx/fill.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { Attachment, Handover, Mail, Sender } from "../../types/mail-handover.ts";
import type { ClaimedSend } from "../../types/mailer-rpc.ts";
import { CONFIRM_LINK, CONFIRMATION_URL, type LinkTarget } from "../../types/recipient.ts";
import { composeMail, domainOf } from "./compose-mail.ts";
import { type LinkSettings, linkProblem, marketingOf } from "./marketing.ts";

/** A burst shares its revisions. */
const KEPT = 20;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const createContents = (read: (revision: number) => Promise<CompiledMessage | undefined>) => {
  const known = new Map<number, CompiledMessage>();
  return async (revision: number): Promise<CompiledMessage | undefined> => {
    const compiledMessage = known.get(revision);
    if (compiledMessage) return compiledMessage;
    const content = await read(revision);
    if (!content) return undefined;
    if (known.size >= KEPT) known.delete(known.keys().next().value ?? 0);
    known.set(revision, content);
    return content;
  };
};

type HandOver = {
  team: string;
  senderOf(domain: string): Sender | undefined;
  contentOf(revision: number): Promise<CompiledMessage | undefined>;
  attachmentsOf(n: number): Promise<Attachment[]>;
  links: LinkSettings;
  /** Returns undefined without a secret. */
  confirmUrlOf(publicUrl: string, target: LinkTarget): Promise<string | undefined>;
};

/** Composes and sends one mail. Failures are outcomes; it never throws. */
export const handOver = async (
  { team, senderOf, contentOf, attachmentsOf, links, confirmUrlOf }: HandOver,
  claimed: ClaimedSend,
): Promise<{ sender: string; handover: Handover }> => {
  const domain = domainOf(claimed.messageId);
  const sender = senderOf(domain);
  const failed = (handover: Exclude<Handover, { outcome: "accepted" | "unknown" }>) => ({
    sender: sender?.name ?? "",
    handover: { ...handover, local: true } as const,
  });
  // The settings changed after the claim.
  if (!sender) return failed({ outcome: "deferred", configuration: true, message: "No sender is configured." });
  const send = await withConfirmLink(team, claimed, confirmUrlOf);
  if (!send) return failed({ outcome: "deferred", configuration: true, message: "API_KEY_SECRET is not set." });
  let content: CompiledMessage | undefined;
  let attachments: Attachment[] = [];
  try {
    content = await contentOf(send.revision);
    if (send.attachments > 0) attachments = await attachmentsOf(send.n);
  } catch (error) {
    return failed({ outcome: "deferred", message: `The content of this mail could not be read: ${messageOf(error)}` });
  }
  if (!content) return failed({ outcome: "refused", about: "content", message: "The content of this mail is gone." });
  // The contact was erased meanwhile.
  if (attachments.length < send.attachments) {
    return failed({ outcome: "refused", about: "content", message: "The attachments of this mail are gone." });
  }
  const problem = send.marketing && linkProblem(links);
  if (problem) return failed({ outcome: "deferred", configuration: true, message: problem });
  let mail: Mail;
  try {
    const marketing = await marketingOf(links, team, send, domain, content);
    mail = composeMail(team, send, content, attachments, links.publicUrl, marketing);
    if (marketing) mail = { ...mail, ...(await marketing.finish(mail)) };
  } catch (error) {
    // Row and revision never change, so a retry would fail too.
    return failed({ outcome: "refused", about: "content", message: messageOf(error) });
  }
  return { sender: sender.name, handover: await withSender(sender, mail) };
};

const withConfirmLink = async (
  team: string,
  send: ClaimedSend,
  confirmUrlOf: HandOver["confirmUrlOf"],
): Promise<ClaimedSend | undefined> => {
  if (!send.values.includes(CONFIRM_LINK)) return send;
  const { [CONFIRM_LINK]: named, ...values } = JSON.parse(send.values) as Values;
  if (typeof named !== "string") return send;
  const [row, contact = "", address = ""] = named.split(" ");
  const variable = `data.${CONFIRMATION_URL}`;
  const url = await confirmUrlOf(String(values[variable]), { team, send: send.n, row: Number(row), contact, address });
  return url === undefined ? undefined : { ...send, values: JSON.stringify({ ...values, [variable]: url }) };
};

const withSender = async (sender: Sender, mail: Mail): Promise<Handover> => {
  const handover = await attempt(sender, mail);
  return handover.outcome === "unknown" && sender.idempotent
    ? { outcome: "deferred", message: handover.message }
    : handover;
};

const attempt = async (sender: Sender, mail: Mail): Promise<Handover> => {
  try {
    return await sender.send(mail);
  } catch (error) {
    return { outcome: "unknown", message: messageOf(error) };
  }
};
