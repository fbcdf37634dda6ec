import { textAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { type Codes, classify, codesIn, type Failure, isClear } from "../classify.ts";
import { tokenIn } from "../return-path-token.ts";

/** A mail provider's event. `token` is the unverified send token. */
export type ProviderEvent = { token: string | undefined; feedback: Feedback };

/** Returns the token of metadata, else of a return path. */
export const tokenAt = (event: unknown, metadata: string, returnPath?: string): string | undefined =>
  textAt(event, metadata) ?? (returnPath === undefined ? undefined : tokenIn(textAt(event, returnPath) ?? ""));

/** Builds feedback. `at` is Unix ms or a date. */
export const feedbackOf = (
  kind: Feedback["kind"],
  said: { recipient: string | undefined; message: string; codes?: Codes; at?: number | string | undefined },
): Feedback => {
  const at = typeof said.at === "string" ? Date.parse(said.at) : (said.at ?? Number.NaN);
  return {
    kind,
    ...(said.recipient ? { recipient: said.recipient } : {}),
    ...(said.codes ?? codesIn(said.message)),
    message: said.message.replace(/\s+/g, " ").trim().slice(0, 500),
    ...(at > 0 ? { at: Math.trunc(at) } : {}),
  };
};

/** Kind of a bounce that a mail provider calls `named`, unless the words of the server are about the sender or the mail. */
export const kindUnlessSender = (
  named: Feedback["kind"],
  said: string,
  codes: Codes = codesIn(said),
): Feedback["kind"] => {
  if ((named !== "hard" && named !== "soft") || !isClear(said)) return named;
  const kind = classify(codes, said);
  return kind === "policy" || kind === "content" ? kind : named;
};

/**
 * Classifies SES bounces. A transient General bounce without server words is mostly an automatic answer.
 * @see https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types
 */
export const kindOfBounce = (
  type: string | undefined,
  subtype: string | undefined,
  said: string,
): Failure | "answer" => {
  if (type === "Transient" && subtype === "General" && said === "") return "answer";
  const kind = classify(codesIn(said), said);
  const isFinal = type === "Permanent";
  // Only the mail provider knows if it is final.
  if (kind === "hard" || kind === "soft") return isFinal ? "hard" : "soft";
  return kind;
};
