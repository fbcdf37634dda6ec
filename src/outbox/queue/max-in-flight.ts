/** Deliveries that may be in flight at once. */
export const MAX_IN_FLIGHT = 6;
/** The rest of `MAX_IN_FLIGHT` is kept for urgent deliveries. */
export const MAX_NOT_URGENT = 4;
/** A lane with due deliveries gets at least one start in this many. */
export const FAIR_SHARE = 20;
/** Updates that may follow the first one in a request. */
export const MAX_JOINED = 500;
