import type { unsubscribeReasons } from "../../lib/contract/admin/email/campaigns/statistics.ts";
import type { CompiledMessage } from "./compiled-message.ts";
import type { FooterClaim } from "./mailer-rpc.ts";

/** A link of one kind is not valid for another. */
export type LinkKind = "unsubscribe" | "preferences" | "confirm";

/**
 * `send`: row number of the mail. `row`, `contact`: row number and id. `list`: mailing list of the mail.
 * `address`: digest of the recipient address.
 */
export type LinkTarget = {
  team: string;
  send: number;
  row: number;
  contact: string;
  list?: string;
  address: string;
};

/** Data variable with the link of the confirmation mail. */
export const CONFIRMATION_URL = "confirmationUrl";

/** Contact row, id and address digest, separated by spaces. No request can set it. */
export const CONFIRM_LINK = "link.confirm";

/** Source of a mail in a browser. `content`: undefined if it is no longer kept. */
export type MailSource = { sender: SenderView; footer: FooterClaim; content: CompiledMessage | undefined };

export type ShownList = { id: string; name: string; description: string; subscribed: boolean };

/** Who sends: `color` as `#rrggbb`, `logo` a path of this Worker, `writeTo` an email address. */
export type SenderView = {
  name: string;
  color: string | null;
  logo: string | null;
  postalAddress: string | null;
  writeTo: string | null;
};

export type UnsubscribeReason = (typeof unsubscribeReasons)[number];

/**
 * `contact`: undefined if deleted. `lists`: the recipient's choices. `list`: named by the link.
 * `isOwn`: the address has not changed. `canReturn`: an unsubscription by this link can be undone.
 * `reason`: why the recipient unsubscribed by this mail, null if not said, undefined if nothing keeps it.
 */
export type RecipientView = {
  sender: SenderView;
  contact:
    | {
        subscribed: boolean;
        optInStatus: "pending" | "accepted" | "rejected" | null;
        isOwn: boolean;
        canReturn: boolean;
        reason: UnsubscribeReason | null | undefined;
        lists: ShownList[];
        list: ShownList | undefined;
      }
    | undefined;
};

/**
 * `leave`: leaves the named list, or everything without one. `undo`: takes that back. `choose`: `lists` maps lists to
 * joined or left. `answer`: says why.
 */
export type RecipientAction =
  | { do: "leave" | "undo" | "unsubscribe" | "resubscribe" | "confirm" | "reject" }
  | { do: "choose"; lists: Readonly<Record<string, boolean>> }
  | { do: "answer"; reason: UnsubscribeReason };
