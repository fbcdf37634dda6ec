import type { Mail, Mailbox } from "../../types/mail-handover.ts";
import { wireAddress } from "./address.ts";
import { encodedWords } from "./encoded-words.ts";
import { fold, LINE, tokensOf } from "./fold.ts";

/** Addresses of one mail at the mail-in door: for bounces and complaints, and to unsubscribe. */
export type BackAddresses = { bounce: string; unsubscribe: string };

type Field = { name: string } & ({ text: string } | { mailboxes: readonly Mailbox[] } | { token: string });

/** Date of RFC 5322 section 3.3 in UTC; "GMT" is the obsolete form. */
const mailDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");

/** Feedback loop of Gmail, from the narrowest group of mails to the sender: https://support.google.com/mail/answer/6254652 */
const feedbackId = ({ origin, class: mailClass, team }: Mail): string =>
  [...(origin === undefined ? [] : [origin]), mailClass, team, "mailspan"].join(":");

/** Apple Mail and others write to the address, with the subject that it names. */
const unsubscribeTokens = (url: string, back: BackAddresses | undefined): string =>
  back ? `<${url}>, <mailto:${back.unsubscribe}?subject=${url.slice(url.lastIndexOf("/") + 1)}>` : `<${url}>`;

const fieldsOf = (mail: Mail, back?: BackAddresses): Field[] => {
  const optional = (name: string, mailboxes: readonly Mailbox[]) =>
    mailboxes.length === 0 ? [] : [{ name, mailboxes }];
  return [
    { name: "Message-ID", token: mail.messageId },
    { name: "Date", token: mailDate(mail.date) },
    { name: "From", mailboxes: [mail.from] },
    { name: "To", mailboxes: mail.to },
    ...optional("Cc", mail.cc),
    ...optional("Reply-To", mail.replyTo),
    { name: "Subject", text: mail.subject },
    { name: "MIME-Version", token: "1.0" },
    // Both fields prevent out-of-office replies: RFC 3834 section 5, and the form of Exchange.
    { name: "Auto-Submitted", token: "auto-generated" },
    // Not NDR, the reports of failed delivery, which `All` has: [MS-OXCMAIL] 2.1.3.2.20.
    { name: "X-Auto-Response-Suppress", token: "DR, RN, NRN, OOF, AutoReply" },
    { name: "Feedback-ID", token: feedbackId(mail) },
    // RFC 9477.
    ...(back ? [{ name: "CFBL-Address", token: `${back.bounce}; report=arf` }] : []),
    ...(mail.class === "marketing"
      ? [
          // RFC 8058 requires both fields, with an https address.
          { name: "List-Unsubscribe", token: unsubscribeTokens(mail.unsubscribeUrl, back) },
          { name: "List-Unsubscribe-Post", token: "List-Unsubscribe=One-Click" },
          { name: "List-ID", token: `<${mail.listId}>` },
          { name: "Precedence", token: "bulk" },
        ]
      : []),
  ];
};

const printable = /^[ -~]*$/;
const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Readers decode this as an encoded word, even between quotes. */
const ENCODED = "=?";

const LONGEST = 60;

const isPlain = (text: string): boolean =>
  printable.test(text) && !text.includes(ENCODED) && text.split(" ").every(({ length }) => length <= LONGEST);

const encoded = (text: string, before: number): string[] =>
  encodedWords(text, LINE - before - 1).map((word) => ` ${word}`);

const textTokens = (name: string, text: string): string[] =>
  isPlain(text) && text.trim() === text ? tokensOf(text) : encoded(text, name.length + 1);

/** RFC 5322 section 3.2.5, RFC 2047 section 5. */
const nameTokens = (name: string, before: number): string[] => {
  if (!isPlain(name)) return encoded(name, before);
  if (atoms.test(name)) return tokensOf(name);
  const quoted = ` "${name.replace(/["\\]/g, "\\$&")}"`;
  return quoted.length <= LONGEST ? [quoted] : encoded(name, before);
};

const mailboxTokens = ({ name = "", address }: Mailbox, before: number): string[] => {
  const wire = wireAddress(address) ?? "";
  return name === "" ? [` ${wire}`] : [...nameTokens(name, before), ` <${wire}>`];
};

const mailboxesTokens = (name: string, mailboxes: readonly Mailbox[]): string[] =>
  mailboxes.flatMap((mailbox, index) => {
    const tokens = mailboxTokens(mailbox, index === 0 ? name.length + 1 : 0);
    if (index < mailboxes.length - 1) tokens.push(`${tokens.pop()},`);
    return tokens;
  });

const tokensOfField = (field: Field): string[] => {
  if ("text" in field) return textTokens(field.name, field.text);
  return "token" in field ? tokensOf(field.token) : mailboxesTokens(field.name, field.mailboxes);
};

export const headerOf = (mail: Mail, back?: BackAddresses): string => {
  let header = "";
  for (const field of fieldsOf(mail, back)) header += fold(field.name, tokensOfField(field));
  return header;
};

const shownMailbox = ({ name = "", address }: Mailbox): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;

const shown = (field: Field): string => {
  if ("mailboxes" in field) return field.mailboxes.map(shownMailbox).join(", ");
  return "text" in field ? field.text : field.token;
};

/** Returns the header for display: one line of Unicode per field. */
export const shownHeader = (mail: Mail): Record<string, string> =>
  Object.fromEntries(fieldsOf(mail).map((field) => [field.name, shown(field)]));
