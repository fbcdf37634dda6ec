import type { StoryDelivery, StoryMail, StoryWebhook } from "./story-types.ts";

/** A code for programs, a sentence for people. */
export type Verdict = {
  code: "arrived" | "left" | "waiting" | "unknown" | "not_sent" | "attention" | "done" | "none";
  tone: "good" | "wait" | "bad" | "quiet";
  text: string;
};

const MAIL: Readonly<Record<string, Pick<Verdict, "code" | "tone">>> = {
  delivered: { code: "arrived", tone: "good" },
  // A complaint proves that the mail arrived.
  complained: { code: "arrived", tone: "bad" },
  sent: { code: "left", tone: "good" },
  queued: { code: "waiting", tone: "wait" },
  sending: { code: "waiting", tone: "wait" },
  unknown: { code: "unknown", tone: "bad" },
};

/** States missing in the table were not delivered. */
export const verdictOfMail = ({ state, meaning }: StoryMail): Verdict => ({
  ...(MAIL[state] ?? { code: "not_sent", tone: "bad" }),
  text: meaning,
});

const NONE = { code: "none", tone: "quiet" } as const;

const DELIVERY: Readonly<Record<string, Pick<Verdict, "code" | "tone">>> = {
  done: { code: "done", tone: "good" },
  waiting: { code: "waiting", tone: "wait" },
  sending: { code: "waiting", tone: "wait" },
  failed: { code: "attention", tone: "bad" },
  undecided: { code: "attention", tone: "bad" },
};

const verdictOfDelivery = ({ state, why }: StoryDelivery): Verdict => ({ ...(DELIVERY[state] ?? NONE), text: why });

/** Returns the deliveries' verdict, or why there are none. */
export const verdictOfDeliveries = ({ deliveries, why }: StoryWebhook): Verdict => {
  const verdict = worst(deliveries.map(verdictOfDelivery));
  return verdict.tone === "bad" || verdict.tone === "wait" ? verdict : { ...verdict, text: why };
};

const ORDER: readonly Verdict["tone"][] = ["quiet", "good", "wait", "bad"];

/** Returns the most urgent verdict; the last of equals. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((found, verdict) => (ORDER.indexOf(verdict.tone) >= ORDER.indexOf(found.tone) ? verdict : found), {
    ...NONE,
    text: "",
  });
