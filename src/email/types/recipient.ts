/** Page that a signed link opens. A link of one kind is not valid for another. */
export type LinkKind = "unsubscribe" | "preferences" | "confirm";

/**
 * What a signed link names. `row`: number of the contact's row; `contact`: its id. `list`: mailing list that the mail went to.
 * `send`: id of the mail's row in `sends`, which contains its number. `address`: digest of the address that the link was sent to.
 */
export type LinkTarget = {
  team: string;
  row: number;
  contact: string;
  list?: string;
  send?: string;
  address: string;
};

/** The data variable of the confirmation mail that has its link. */
export const CONFIRMATION_URL = "confirmationUrl";

/** A value of a confirmation mail: row, id and address digest of its contact, with spaces. No request can set it. */
export const CONFIRM_LINK = "link.confirm";

/** A mailing list on a recipient's page. `subscribed`: the recipient is on it. */
export type ShownList = { id: string; name: string; description: string; subscribed: boolean };

/**
 * What the page of a link shows. `team`: its name. `contact`: undefined when it was deleted. `lists`: those that the recipient
 * may choose. `list`: the one that the link names. `isOwn`: the link was sent to the present address of the contact.
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

/**
 * What a recipient does on a page. `leave`: leaves the list that the link names, or everything when it names none. `choose`:
 * `lists` has what was ticked (true) and what was not.
 */
export type RecipientAction =
  | { do: "leave" | "unsubscribe" | "resubscribe" | "confirm" | "reject" }
  | { do: "choose"; lists: Readonly<Record<string, boolean>> };
