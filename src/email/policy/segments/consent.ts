type Choices = {
  subscribed: boolean;
  optInStatus: string | null;
  /** Keys are mailing list ids. */
  mailingLists: Readonly<Record<string, boolean>>;
};

/** Returns why a contact's choices forbid marketing mail; `list` is null without a mailing list. */
export const missingConsent = ({ subscribed, optInStatus, mailingLists }: Choices, list: string | null) => {
  if (!subscribed) return "unsubscribed";
  if (optInStatus === "pending" || optInStatus === "rejected") return "not_confirmed";
  return list !== null && mailingLists[list] !== true ? "not_on_list" : undefined;
};
