import { withoutNames } from "../../../mail/bounces/mask-names.ts";
import type { Throttled } from "../../../types/mail-handover.ts";
import type { Reply } from "./reply-reader.ts";

/** Protocol step of a reply. `end`: reply to the final dot. */
export type Step = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end";

/**
 * Meaning of a reply text. `account`, `domain`: throttling. `configuration`: an operator has to act.
 * `policy`, `sender`: a final refusal that is not about the recipient. `codes`: the codes decide.
 */
type Meaning = Throttled | "configuration" | "policy" | "sender" | "codes";

/** `temporary`: replies below 500. `final`: from 500. `early`: before RCPT. */
type Row = { meaning: Meaning; when?: "temporary" | "final" | "early"; pattern: RegExp };

/** The first match decides. Addresses are removed before matching. */
const TABLE: readonly Row[] = [
  // The limit concerns one mailbox or group. Other mail passes.
  {
    meaning: "codes",
    pattern: /receiving (?:e?mail|messages) (?:too|at a rate)|recipient thread limit|RESOLVER\.RST/i,
  },
  // Amazon SES: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
  {
    meaning: "account",
    pattern: /throttling failure|maximum sending rate exceeded|daily message quota exceeded/i,
  },
  // Google as mail provider: https://support.google.com/a/answer/3726730. Mailgun and others use similar words.
  {
    meaning: "account",
    pattern:
      /\b(?:send(?:ing)?|relay|messaging|submission) ?(?:limit|quota|rate)|not allowed to send: recipient limit exceeded/i,
  },
  // Microsoft as mail provider:
  // https://learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online
  {
    meaning: "account",
    pattern: /\b5\.1\.90\b|\b5\.7\.705\b|reached your (?:daily|hourly) limit|sender thread limit|tenant has exceeded/i,
  },
  {
    meaning: "codes",
    pattern:
      /\b[45]\.2\.2\b|over ?quota|out of storage|(?:mail ?box|recipient|user)\b[^.]{0,60}\b(?:quota|full|storage)|\bsize\b|too (?:large|big|long)|gr[ae]y-?list|postgrey/i,
  },
  // Google, Yahoo and Microsoft as receivers: https://senders.yahooinc.com/smtp-error-codes/
  {
    meaning: "domain",
    when: "temporary",
    pattern:
      /\b4\.7\.(?:2[3-9]|3\d|4\d|[56]\d\d)\b|unusual rate of|\[(?:TSS?|GL)\d\d\]|deferred due to (?:user complaints|unexpected volume)|RP-00[1-3]|\b(?:S775|S3150|S3140)\b/i,
  },
  {
    meaning: "domain",
    when: "temporary",
    pattern:
      /too many (?:messages|mails?|recipients) (?:to|for) |(?:destination|recipient|remote) (?:domain|host|server|mx)\b.{0,60}(?:\brate\b|limit|throttl|too many)/i,
  },
  {
    meaning: "account",
    pattern:
      /too many (?:concurrent |simultaneous |smtp )*(?:connections|sessions)|connections? (?:rate |count )?limit|concurrent (?:server )?connections|too many (?:failed )?(?:login|auth)|too (?:many|much) (?:e?mails?|messages|recipients) from/i,
  },
  {
    meaning: "account",
    pattern:
      /\b(?:you|your|sender|account|domain)\b.{0,60}\b(?:exceeded|reached)\b.{0,60}\b(?:limits?|quota|max\w*|credits)\b|(?:hourly|daily|monthly|per (?:second|minute|hour|day)) .{0,20}(?:limit|quota) (?:is |has been )?(?:exceeded|reached)|(?:quota|credits) exceeded/i,
  },
  {
    meaning: "account",
    when: "early",
    pattern: /\brate ?limit|rate exceeded|throttl|slow down|too (?:fast|frequent|many (?:requests|messages))/i,
  },
  // An unspecific limit does not count as an account limit.
  {
    meaning: "domain",
    when: "temporary",
    pattern: /\brate ?limit|rate exceeded|throttl|slow down|too (?:fast|frequent|many messages)/i,
  },
  {
    meaning: "configuration",
    pattern:
      /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:permitted|allowed)|prohibited|disallowed)|(?:unable|not permitted) to relay|credentials for relay|rcpthosts/i,
  },
  {
    meaning: "configuration",
    pattern:
      /(?:address|domain|identity|sender) is (?:not (?:yet )?|un)verified|verified sender identity|sender signature|unauthenticated senders|not authorized to (?:use|perform|send (?:mail )?(?:from|as))|sandbox subdomain|\b5\.7\.750\b|unregistered domain/i,
  },
  {
    meaning: "configuration",
    pattern:
      /not owned by user|must equal authorized user|permissions? to send as|SendAsDenied|bad outbound sender|sending (?:is )?(?:paused|suspended|disabled)|your account (?:is|has been) (?:suspended|disabled|paused|blocked)/i,
  },
  {
    meaning: "configuration",
    pattern: /authentication (?:is )?required|not authenticated|must (?:first )?(?:issue a? ?starttls|authenticate)/i,
  },
  {
    meaning: "sender",
    when: "final",
    pattern: /\bsender (?:address|domain|verif|reject|denied|unknown|not)|sender verify failed|from address/i,
  },
  // RFC 5321 uses these words for policies as well as for unknown mailboxes.
  { meaning: "policy", when: "final", pattern: /not taken: mailbox unavailable/i },
  {
    meaning: "policy",
    when: "final",
    pattern:
      /client host|\b(?:helo|ehlo|ptr|dnsbl|rbl|dmarc|dkim|spf)\b|reverse (?:dns|hostname)|spam|block(?:ed|ing)|(?:block|black|deny) ?list|banned|reputation|unsolicited|policy|virus/i,
  },
  {
    meaning: "policy",
    when: "final",
    pattern:
      /\byour (?:server|ip|host|domain|network|mail ?server)\b|\b(?:ip|ips|ip address)\b|mail from \[?\d|connections? (?:will )?not (?:be )?accepted|(?<!address rejected: )access denied|multiple from|prohibited|not accept (?:e?mail|messages) from/i,
  },
];

const EARLY: readonly Step[] = ["greeting", "EHLO", "STARTTLS", "AUTH", "MAIL"];

/** Removes addresses, host names and text in angle brackets: they carry no meaning. */
const wordsOf = (text: string): string => withoutNames(text.replace(/<[^<>\s]*>/g, "…"));

/** Returns the meaning of a refusal text; undefined if the codes decide. */
export const meaningOf = (step: Step, reply: Reply): Exclude<Meaning, "codes"> | undefined => {
  const { code, enhanced = "" } = reply;
  const said = `${code} ${enhanced} ${wordsOf(reply.text)}`;
  const row = TABLE.find(({ when, pattern }) => fits(when, step, code) && pattern.test(said));
  return row === undefined || row.meaning === "codes" ? undefined : row.meaning;
};

const fits = (when: Row["when"], step: Step, code: number): boolean => {
  if (when === undefined) return true;
  return when === "early" ? EARLY.includes(step) : (when === "temporary") === code < 500;
};
