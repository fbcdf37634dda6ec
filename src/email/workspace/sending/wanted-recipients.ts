import type { ClaimedSend } from "../../types/mailer-rpc.ts";
import type { CampaignMail } from "../core/mailer-claims.ts";
import type { Sieve } from "./waiting-mails.ts";

/** `left`: mails of a day that a domain's warm-up still permits. */
export type WantedRecipients = {
  limit: number;
  copiesOf(revision: number, values: string): readonly string[];
  sieve: Sieve | undefined;
  left(domain: string): number;
};

/** `wakeAt`: Unix ms; other recipients follow, or a limit puts a mail off. */
export type ClaimedRecipients = { sends: readonly ClaimedSend[]; mails: readonly CampaignMail[]; wakeAt: number };

export const noRecipients: ClaimedRecipients = { sends: [], mails: [], wakeAt: Number.POSITIVE_INFINITY };
