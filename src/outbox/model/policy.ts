import { HOUR_MS } from "../../lib/util/dates.ts";
import type { Call } from "./types.ts";

/** Ms after the first unknown outcome in which the call is retried with the same key. The host keeps keys for 24 h. */
export const horizonOf = (call: Pick<Call, "action">): number => (isKeyed(call) ? 23 * HOUR_MS : 72 * HOUR_MS);

/** True when the host acts once per Idempotency-Key. Contact updates have no key: they may be repeated. */
export const isKeyed = ({ action }: Pick<Call, "action">): boolean => action === "event" || action === "transactional";

/** Ms a call waits for an identity link. */
export const IDENTITY_WAIT = 72 * HOUR_MS;

/** Ms after acceptance for which a call by a user id alone waits for the address of the user. */
export const TIE_WAIT = 600_000;

/**
 * Ms after its start in which a request may reach the host although it got no answer: a proxy on the way may keep it for as
 * long as its own timeouts allow. The longest common one is 120 s (Cloudflare between its edge and the origin).
 */
export const TRANSIT = 120_000;
