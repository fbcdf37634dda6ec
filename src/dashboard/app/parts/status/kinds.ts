import type { IconName } from "../icon-paths.ts";

/** Weights: `good` and `quiet` have no ground, `accent` and `live` a soft one, `warn` and `bad` want a person. */
export type Look = "good" | "quiet" | "accent" | "live" | "warn" | "bad";

/** States of the APIs by look and icon. */
const LOOKS: readonly (readonly [look: Look, icon: IconName, states: readonly string[]])[] = [
  ["good", "done", ["delivered", "done", "ok", "matched", "subscribed", "set", "created", "verified", "over", "found"]],
  ["good", "opened", ["opened", "clicked"]],
  ["good", "check", ["sent"]],
  ["live", "done", ["running", "published", "enabled", "current", "live"]],
  ["quiet", "clock", ["waiting", "pending", "queued", "collecting", "uploading", "not checked", "not_confirmed"]],
  [
    "quiet",
    "nothing",
    ["not_sent", "skipped", "replaced", "unsubscribed", "cancelled", "discarded", "disabled", "not_set_up"],
  ],
  ["quiet", "nothing", ["not matched", "unchanged", "locked", "erased", "archived", "revoked"]],
  ["quiet", "edit", ["draft"]],
  ["accent", "clock", ["scheduled", "ready"]],
  ["accent", "deliveries", ["sending", "changed", "updated"]],
  ["warn", "retry", ["backoff", "retrying", "degraded"]],
  ["warn", "pause", ["held", "paused", "paused, queueing"]],
  ["warn", "info", ["undecided", "unknown", "no answer", "warning", "attention"]],
  ["warn", "clock", ["missing"]],
  ["bad", "failed", ["failed", "refused", "bounced", "complained", "failing", "differs", "conflict", "lasts"]],
  ["bad", "failed", ["blocked", "outage", "unusable"]],
  ["bad", "suppressed", ["suppressed"]],
];

/** States with another word than their own. */
const WORDS: Readonly<Record<string, string>> = {
  undecided: "needs a decision",
  attention: "needs you",
  skipped: "nothing to do",
  backoff: "retrying",
  "paused, queueing": "paused, people still enter",
};

const KINDS = new Map(LOOKS.flatMap(([look, icon, states]) => states.map((state) => [state, { look, icon }] as const)));

/** Look and icon of a state. A state of a newer service is quiet. */
export const kindOf = (state: string): { look: Look; icon: IconName; isKnown: boolean } => {
  const kind = KINDS.get(state);
  return { look: "quiet", icon: "nothing", ...kind, isKnown: kind !== undefined };
};

/** Words of a state, such as "Failed" or "3 need a decision". */
export const stateText = (state: string, count = 1): string => {
  const word = WORDS[state] ?? state.replaceAll("_", " ");
  if (count !== 1) return `${count.toLocaleString("en")} ${word.replace(/^needs/, "need")}`;
  return word.charAt(0).toUpperCase() + word.slice(1);
};
