import { senderNamed } from "../../delivery/senders/sender-list.ts";
import { withCodeExplained } from "./codes.ts";
import type { SendRow } from "./send-rows.ts";

const NOT_SENT: Readonly<Record<string, string>> = {
  suppressed: "It was not sent, because the address was suppressed.",
  unsubscribed: "It was not sent, because the person had unsubscribed.",
  not_confirmed: "It was not sent, because the person has not confirmed the subscription.",
  erased: "It was not sent, because the person was erased.",
  contact_deleted: "It was not sent, because the contact was deleted.",
  message_deleted: "It was not sent, because its message was deleted.",
  workflow_deleted: "It was not sent, because its workflow was deleted.",
  campaign_cancelled: "It was not sent, because its campaign was cancelled.",
  no_email: "It was not sent, because the contact had no address.",
  not_on_list: "It was not sent, because the contact was not on the mailing list.",
};

/** Returns the state of a send in words. `problem`: a provider pause or a full send limit. */
export const meaningOf = (
  row: Pick<SendRow, "state" | "attempts" | "sender" | "error" | "held" | "origin">,
  problem?: string,
): string => {
  const { state, attempts, sender } = row;
  const because = row.error === null ? "" : `: ${withCodeExplained(row.error)}`;
  switch (state) {
    case "queued":
      if (row.held) return waitsFor(row.origin?.startsWith("cmp_") ? "campaign" : "workflow");
      if (problem !== undefined) return sentence(`It waits: ${problem}`);
      if (attempts === 0 && row.error !== null) return sentence(`It waits${because}`);
      return attempts === 0 ? "It waits for its first attempt." : sentence(`It waits for its next attempt${because}`);
    case "sending":
      return `Attempt ${attempts} is in flight.`;
    case "sent":
      return senderNamed(sender ?? "")?.local
        ? "In the local inbox only. It was not sent outside this machine."
        : "Accepted by the mail provider. No bounce so far.";
    case "delivered":
      return "The mail server of the recipient took it.";
    case "bounced":
      return sentence(`It bounced${because}`);
    case "complained":
      return "The recipient reported it as spam.";
    case "not_sent":
      return NOT_SENT[row.error ?? ""] ?? sentence(`It was not sent${because}`);
    case "unknown":
      return sentence(`Unknown: it may have been sent. Mailspan does not send it again by itself${because}`);
    default:
      return sentence(`It failed${because}`);
  }
};

const waitsFor = (origin: string): string =>
  `It is held: its ${origin} is paused. It is sent after the ${origin} is resumed.`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
