import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";

export type Domain = Response<AdminContract["domains"]["get"]>;
export type ReportDay = Response<AdminContract["domains"]["reports"]>["days"][number];
export type DnsRecord = Domain["records"][number];

const CHECK_MS = 5 * 60_000;

/**
 * One word for a record. `pending`: a new record not found yet. `conflict`: other records exist beside it. `no
 * answer`: unknown.
 */
export const stateOfRecord = (
  { status, found }: Pick<DnsRecord, "status" | "found">,
  { state, nextCheckAt }: Pick<Domain, "state" | "nextCheckAt">,
): string => {
  if (status === "right") return "found";
  if (status === "unchecked") return "not checked";
  if (status === "unknown") return "no answer";
  if (status === "wrong") return found.length > 1 ? "conflict" : "differs";
  return state === "pending" && nextCheckAt !== null ? "pending" : "missing";
};

const lacking = ({ records }: Pick<Domain, "records">): DnsRecord[] =>
  records.filter(({ required, status }) => required && status !== "right");

/** Counts missing records for a list of domains. */
export const recordsInWords = (domain: Pick<Domain, "records">): string => {
  const needed = domain.records.filter(({ required }) => required).length;
  const missing = lacking(domain).length;
  return missing === 0
    ? `${counted(needed, "needed record")}, all right`
    : `${missing} of ${needed} needed ${missing === 1 ? "is" : "are"} not right`;
};

/** Explains the domain state for mail. */
export const meaningOf = ({ state, nextCheckAt }: Pick<Domain, "state" | "nextCheckAt">): string => {
  if (state === "verified") return "Mail is sent from it. Its records are checked daily.";
  if (state === "warning")
    return "A record that it needs is not right any more. Mail is still sent for 24 hours from then on.";
  if (state === "failing")
    return "No mail is sent from it: a record that it needs has not been right for more than 24 hours.";
  return nextCheckAt === null
    ? "No mail is sent from it. Its records were not found within 7 days, so its checks have ended. A check begins them anew."
    : "No mail is sent from it yet. Enter the records below at your DNS provider; the DNS may need some hours to show them.";
};

/** True five minutes after the last check while a problem exists. `now`: Unix ms. */
export const isCheckDue = (domain: Pick<Domain, "checkedAt" | "records" | "keys">, now: number): boolean => {
  const isOpen = lacking(domain).length > 0 || domain.keys.some(({ state }) => state === "next");
  return isOpen && (domain.checkedAt === null || now - Date.parse(domain.checkedAt) >= CHECK_MS);
};

const KINDS: Readonly<Record<DnsRecord["kind"], string>> = {
  dkim: "DKIM",
  spf: "SPF",
  mx: "Return path (MX)",
  dmarc: "DMARC",
};

export const kindInWords = ({ kind }: Pick<DnsRecord, "kind">): string => KINDS[kind];

/** Warm-up progress, undefined when warm. */
export const warmupInWords = ({ warmup }: Pick<Domain, "warmup">): string | undefined => {
  if (warmup === null) return undefined;
  const { day, cap, marketing, transactional, capsTransactional } = warmup;
  const counts = capsTransactional ? marketing + transactional : marketing;
  const waits = capsTransactional ? "Marketing and transactional mail wait" : "Marketing mail waits";
  return `Day ${day} of its warm-up: ${counts.toLocaleString("en")} of at most ${counted(cap, "mail")} left today. ${waits} beyond that.`;
};
