import type { About } from "../../api/use-about.ts";
import type { Domain } from "../domains/domain-words.ts";
import type { Settings } from "./setting-fields.ts";

type Senders = NonNullable<NonNullable<About["email"]>["senders"]>;

/** Sender of a mail class, or its obstacle. `what`: such as "Marketing mail". */
export const senderStateInWords = (what: string, { sender, title, why }: Senders["marketing"]): string => {
  if (sender === null) return `${what} cannot be sent: ${why ?? "no sender is configured"}.`;
  if (why !== null) return `${what} is not sent: ${why}.`;
  return sender === "inbox"
    ? `${what} goes into the local inbox, and to nobody else.`
    : `${what} leaves over ${title}.`;
};

/** The team's sending domain, or undefined. */
export const domainInForce = (
  domains: readonly Pick<Domain, "name" | "isDefault" | "state">[],
  inbox: { sender: string | null; mailDomain: string | undefined },
): string | undefined => {
  const domain = domains.find(({ isDefault }) => isDefault);
  if (domain && (domain.state === "verified" || domain.state === "warning")) return domain.name;
  return inbox.sender === "inbox" ? inbox.mailDomain : undefined;
};

type Sender = Pick<Settings, "fromName" | "fromEmail" | "replyToEmail">;

/** Default sender. `domain`: sending domain, undefined if none. */
export const senderInWords = ({ fromName, fromEmail, replyToEmail }: Sender, domain: string | undefined): string => {
  const lacking = [...(fromName === null ? ["name"] : []), ...(fromEmail === null ? ["address"] : [])];
  if (lacking.length > 0)
    return `The team has no sender's ${lacking.join(" and no sender's ")}: each message needs its own.`;
  const replies = replyToEmail === null ? "Replies go there too." : `Replies go to ${replyToEmail}.`;
  return `A message without a sender of its own comes from ${fromName} <${fromEmail}@${domain ?? "…"}>. ${replies}`;
};
