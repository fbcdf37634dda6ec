import { lateUntil, readWatermarks } from "../identity/watermarks.ts";
import { isKeyed } from "../model/delivery-deadlines.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { QueueItem } from "../queue/person-queues.ts";

const OF_ATTEMPTS = [
  "attemptCount",
  "only",
  "exists",
  "sentWith",
  "unknownSince",
  "refusals",
  "asked",
  "message",
  "result",
  "settledAt",
  "replay",
  "acts",
] as const satisfies readonly (keyof Delivery)[];

/**
 * Repeats an update or removal that an earlier unanswered request could still overwrite.
 *
 * @param repeatsAt due time of the person's last waiting repeat, Unix ms; 0 if none
 */
export const repeatOf = (
  sql: SqlStorage,
  { seq, index, person }: Pick<QueueItem, "seq" | "index" | "person">,
  delivery: Delivery,
  { state }: Delivery,
  { now, repeatsAt }: { now: number; repeatsAt: number },
): Delivery | undefined => {
  if (state !== "done" || isKeyed(delivery) || delivery.repeats !== undefined || person === undefined) return undefined;
  const at = Math.max(lateUntil(readWatermarks(sql, person), now, { seq, index }) ?? 0, repeatsAt);
  const left = withoutConsent(delivery);
  if (at === 0 || !saysAnything(left)) return undefined;
  const { former } = delivery;
  const again: Delivery = {
    ...left,
    key: `${delivery.key} again`,
    lane: "backfill",
    state: "waiting",
    due: at,
    attempts: [],
    repeats: { index, at },
    plannedAt: now,
    ...(former ? { former: { email: former.email, watermarks: former.watermarks } } : {}),
  };
  for (const name of OF_ATTEMPTS) delete again[name];
  return again;
};

/** The person may have unsubscribed at the email service since then. */
const withoutConsent = (delivery: Delivery): Delivery => {
  if (delivery.action !== "contact") return delivery;
  const { subscribed, ...others } = delivery.properties;
  const properties = subscribed === false ? delivery.properties : others;
  const left = Object.entries(delivery.lists ?? {}).filter(([, joins]) => !joins);
  return { ...delivery, properties, ...(delivery.lists ? { lists: Object.fromEntries(left) } : {}) };
};

const saysAnything = (delivery: Delivery): boolean =>
  delivery.action !== "contact" ||
  delivery.former !== undefined ||
  delivery.subscription !== undefined ||
  Object.keys({ ...delivery.properties, ...delivery.lists }).length > 0;
