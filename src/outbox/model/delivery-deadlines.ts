import { HOUR_MS } from "../../lib/util/dates.ts";
import type { Delivery } from "./journal-types.ts";

/** Milliseconds of retries. The email service keeps keys for 24 h. */
export const horizonOf = (delivery: Pick<Delivery, "action">): number =>
  isKeyed(delivery) ? 23 * HOUR_MS : 72 * HOUR_MS;

/** True if the email service deduplicates by Idempotency-Key. Contact updates have no key. */
export const isKeyed = ({ action }: Pick<Delivery, "action">): boolean =>
  action === "event" || action === "transactional";

/** Milliseconds. */
export const IDENTITY_WAIT = 72 * HOUR_MS;

/** Milliseconds after acceptance that a user id waits for an address. */
export const TIE_WAIT = 600_000;

/** Milliseconds after acceptance in which a webhook of the same moment may name another subscription. */
export const OTHERS_WAIT = 2_000;

/**
 * Milliseconds in which an unanswered request may arrive. The longest common proxy timeout is 120 s (Cloudflare to
 * origin).
 */
export const TRANSIT = 120_000;
