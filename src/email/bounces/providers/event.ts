import { textAt } from "../../../lib/webhook/shape.ts";
import type { Feedback } from "../../types/feedback.ts";
import { type Codes, codesIn } from "../classify.ts";
import { tokenIn } from "../token.ts";

/** An event of a relay. `token`: names the send, not checked yet; undefined where the event does not name it. */
export type ProviderEvent = { token: string | undefined; feedback: Feedback };

/** The token in metadata, else in a return path. */
export const tokenAt = (event: unknown, metadata: string, returnPath?: string): string | undefined =>
  textAt(event, metadata) ?? (returnPath === undefined ? undefined : tokenIn(textAt(event, returnPath) ?? ""));

/** Feedback with what the relay said of the recipient. `at`: Unix ms, or a date. */
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
