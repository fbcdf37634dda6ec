import { lateUntil, readWatermarks } from "../identity/watermarks.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call } from "../model/types.ts";
import type { QueueItem } from "../queue/queue.ts";

/** What a call has once it was attempted. A call that is made once more has none of it. */
const OF_ATTEMPTS = [
  "tries",
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
] as const satisfies readonly (keyof Call)[];

/**
 * The call that makes a contact update or a removal once more, because an earlier request of the person has no answer and may
 * still reach the host: it would overwrite newer values, or make a deleted contact again. It is due when that request can no
 * longer arrive, and writes only what is the newest then. Undefined where it is not needed.
 *
 * @param item the call in the queue
 * @param repeatsAt when the last such call of the person that waits is due, Unix ms; 0 where none waits. It would overwrite values
 *   of the same time, so this call is made once more after it
 * @param call the call as it was before its last attempt, and as it is after it
 */
export const repeatOf = (
  sql: SqlStorage,
  { seq, index, person }: Pick<QueueItem, "seq" | "index" | "person">,
  call: Call,
  { state }: Call,
  { now, repeatsAt }: { now: number; repeatsAt: number },
): Call | undefined => {
  if (state !== "done" || isKeyed(call) || call.repeats !== undefined || person === undefined) return undefined;
  const at = Math.max(lateUntil(readWatermarks(sql, person), now, { seq, index }) ?? 0, repeatsAt);
  const left = withoutConsent(call);
  if (at === 0 || !saysAnything(left)) return undefined;
  const { former } = call;
  const again: Call = {
    ...left,
    key: `${call.key} again`,
    lane: "backfill",
    state: "waiting",
    due: at,
    attempts: [],
    repeats: { index, at },
    plannedAt: now,
    ...(former ? { former: { email: former.email, marks: former.marks } } : {}),
  };
  for (const name of OF_ATTEMPTS) delete again[name];
  return again;
};

/** The call without what subscribes the person: they may have unsubscribed at the host since then. */
const withoutConsent = (call: Call): Call => {
  if (call.action !== "contact") return call;
  const { subscribed, ...others } = call.properties;
  const properties = subscribed === false ? call.properties : others;
  const left = Object.entries(call.lists ?? {}).filter(([, joins]) => !joins);
  return { ...call, properties, ...(call.lists ? { lists: Object.fromEntries(left) } : {}) };
};

/** False for an update that would only make a contact. */
const saysAnything = (call: Call): boolean =>
  call.action !== "contact" ||
  call.former !== undefined ||
  call.subscription !== undefined ||
  Object.keys({ ...call.properties, ...call.lists }).length > 0;
