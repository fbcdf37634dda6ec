import type { Mail, Mailbox } from "../../types/mail.ts";
import { wireAddress } from "./address.ts";
import { encodedWords } from "./encoded-words.ts";
import { fold, LINE, tokensOf } from "./fold.ts";

/** A header field. `text`: of people, encoded where needed. `token`: ASCII of our own, written as it is. */
type Field = { name: string } & ({ text: string } | { mailboxes: readonly Mailbox[] } | { token: string });

/** A date as RFC 5322 section 3.3 writes it, in UTC; "GMT" is its obsolete form. */
const mailDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");

/** The header of a mail, without the fields that describe its body. It never names a Bcc recipient. */
const fieldsOf = (mail: Mail): Field[] => {
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
    // Both keep out-of-office replies away: RFC 3834 section 5, and the form that Exchange reads.
    { name: "Auto-Submitted", token: "auto-generated" },
    { name: "X-Auto-Response-Suppress", token: "All" },
    ...(mail.class === "marketing"
      ? [
          // RFC 8058 wants the pair, with an https address. A lone Post field does nothing.
          { name: "List-Unsubscribe", token: `<${mail.unsubscribeUrl}>` },
          { name: "List-Unsubscribe-Post", token: "List-Unsubscribe=One-Click" },
          { name: "List-ID", token: `<${mail.listId}>` },
          { name: "Precedence", token: "bulk" },
        ]
      : []),
  ];
};

const printable = /^[ -~]*$/;
/** Words of atoms, one space between them: a name that needs no quotes. */
const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Characters that readers would take for the start of an encoded word, even between quotes. */
const ENCODED = "=?";

/** Longest word that is written as it is. */
const LONGEST = 60;

const isPlain = (text: string): boolean =>
  printable.test(text) && !text.includes(ENCODED) && text.split(" ").every(({ length }) => length <= LONGEST);

const encoded = (text: string, before: number): string[] =>
  encodedWords(text, LINE - before - 1).map((word) => ` ${word}`);

const textTokens = (name: string, text: string): string[] =>
  isPlain(text) && text.trim() === text ? tokensOf(text) : encoded(text, name.length + 1);

/** The name of a mailbox: atoms, a quoted string or encoded words (RFC 5322 section 3.2.5, RFC 2047 section 5). */
const nameTokens = (name: string, before: number): string[] => {
  if (!isPlain(name)) return encoded(name, before);
  if (atoms.test(name)) return tokensOf(name);
  const quoted = ` "${name.replace(/["\\]/g, "\\$&")}"`;
  // A quoted string has no good place to fold.
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

/** The header of a mail as it is sent, up to the fields of the body. */
export const headerOf = (mail: Mail): string => {
  let header = "";
  for (const field of fieldsOf(mail)) header += fold(field.name, tokensOfField(field));
  return header;
};

const shownMailbox = ({ name = "", address }: Mailbox): string =>
  name === "" ? address : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;

const shown = (field: Field): string => {
  if ("mailboxes" in field) return field.mailboxes.map(shownMailbox).join(", ");
  return "text" in field ? field.text : field.token;
};

/** The same header for a person: one line of Unicode for each field. */
export const shownHeader = (mail: Mail): Record<string, string> =>
  Object.fromEntries(fieldsOf(mail).map((field) => [field.name, shown(field)]));
