/** A campaign is held where a relay has refused so many of its last mails. */
export const REFUSED = 20;
/** So many are its last mails: those that a relay took, and those that it refused for a reason that may be about all of them. */
export const OF_LAST = 50;
