import type { StoryCall, StoryMail, StoryWebhook } from "./types.ts";

/** What came out of a chapter: a code for programs, a sentence for people. */
export type Verdict = {
  code: "arrived" | "left" | "waiting" | "unknown" | "not_sent" | "attention" | "done" | "none";
  tone: "good" | "wait" | "bad" | "quiet";
  text: string;
};

const MAIL: Readonly<Record<string, Pick<Verdict, "code" | "tone">>> = {
  delivered: { code: "arrived", tone: "good" },
  // Only who has a mail can complain of it.
  complained: { code: "arrived", tone: "bad" },
  sent: { code: "left", tone: "good" },
  queued: { code: "waiting", tone: "wait" },
  sending: { code: "waiting", tone: "wait" },
  unknown: { code: "unknown", tone: "bad" },
};

/** A state that is not in the table did not reach its recipient. */
export const verdictOfMail = ({ state, meaning }: StoryMail): Verdict => ({
  ...(MAIL[state] ?? { code: "not_sent", tone: "bad" }),
  text: meaning,
});

const NONE = { code: "none", tone: "quiet" } as const;

const CALL: Readonly<Record<string, Pick<Verdict, "code" | "tone">>> = {
  done: { code: "done", tone: "good" },
  waiting: { code: "waiting", tone: "wait" },
  sending: { code: "waiting", tone: "wait" },
  dead: { code: "attention", tone: "bad" },
  parked: { code: "attention", tone: "bad" },
};

const verdictOfCall = ({ state, why }: StoryCall): Verdict => ({ ...(CALL[state] ?? NONE), text: why });

/** The verdict on the calls of a webhook; without a call, why there is none. */
export const verdictOfCalls = ({ calls, why }: StoryWebhook): Verdict => {
  const verdict = worst(calls.map(verdictOfCall));
  return verdict.tone === "bad" || verdict.tone === "wait" ? verdict : { ...verdict, text: why };
};

const ORDER: readonly Verdict["tone"][] = ["quiet", "good", "wait", "bad"];

/** The one that a person has to see first. Of equals the last: the mail, not the call that asked for it. */
export const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((found, one) => (ORDER.indexOf(one.tone) >= ORDER.indexOf(found.tone) ? one : found), {
    ...NONE,
    text: "",
  });
