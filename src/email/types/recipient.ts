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

export type ShownList = { id: string; name: string; description: string; subscribed: boolean };

/**
 * `contact`: undefined if deleted. `lists`: the recipient's choices. `list`: named by the link.
 * `isOwn`: the address has not changed.
 */
export type RecipientView = {
  team: string;
  contact:
    | {
        subscribed: boolean;
        optInStatus: "pending" | "accepted" | "rejected" | null;
        isOwn: boolean;
        lists: ShownList[];
        list: ShownList | undefined;
      }
    | undefined;
};

/** `leave`: leaves the named list, or everything without one. `choose`: `lists` maps lists to ticked or not. */
export type RecipientAction =
  | { do: "leave" | "unsubscribe" | "resubscribe" | "confirm" | "reject" }
  | { do: "choose"; lists: Readonly<Record<string, boolean>> };
