import { lateUntil, readWatermarks } from "../identity/watermarks.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call } from "../model/types.ts";
import type { QueueItem } from "../queue/queue.ts";

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
 * Repeats an update or removal that an earlier unanswered request could still overwrite.
 *
 * @param repeatsAt due time of the person's last waiting repeat, Unix ms; 0 if none
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

/** The person may have unsubscribed at the email service since then. */
const withoutConsent = (call: Call): Call => {
  if (call.action !== "contact") return call;
  const { subscribed, ...others } = call.properties;
  const properties = subscribed === false ? call.properties : others;
  const left = Object.entries(call.lists ?? {}).filter(([, joins]) => !joins);
  return { ...call, properties, ...(call.lists ? { lists: Object.fromEntries(left) } : {}) };
};

const saysAnything = (call: Call): boolean =>
  call.action !== "contact" ||
  call.former !== undefined ||
  call.subscription !== undefined ||
  Object.keys({ ...call.properties, ...call.lists }).length > 0;
