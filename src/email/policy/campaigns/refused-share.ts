/** Refusals among `OF_LAST` mails that hold a campaign. */
export const REFUSED = 20;
/** Window of accepted and doubtful refused mails. */
export const OF_LAST = 50;
