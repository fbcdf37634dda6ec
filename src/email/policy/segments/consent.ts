type Choices = {
  subscribed: boolean;
  optInStatus: string | null;
  /** By id of the mailing list. */
  mailingLists: Readonly<Record<string, boolean>>;
};

/** Why a contact may get no marketing mail of a mailing list, or of none (`list` null), by its own choices; undefined when it may. */
export const missingConsent = ({ subscribed, optInStatus, mailingLists }: Choices, list: string | null) => {
  if (!subscribed) return "unsubscribed";
  if (optInStatus === "pending" || optInStatus === "rejected") return "not_confirmed";
  return list !== null && mailingLists[list] !== true ? "not_on_list" : undefined;
};
