import type { Call } from "./types.ts";

const HOUR = 3_600_000;

/** Ms after the first unknown outcome in which the same key is still retried: the host keeps keys for 24 h. */
export const horizonOf = (call: Pick<Call, "action">): number => (isKeyed(call) ? 23 * HOUR : 72 * HOUR);

/** True where the host acts once per Idempotency-Key; what is written to a contact may be written twice. */
export const isKeyed = ({ action }: Pick<Call, "action">): boolean => action === "event" || action === "transactional";

/** Ms a call waits for the link that tells whom it is about. */
export const IDENTITY_WAIT = 72 * HOUR;
