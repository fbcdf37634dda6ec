import { ApiError, parseRetryAfter } from "../../lib/contract/client.ts";
import type { Outcome } from "../model/outcome.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call } from "../model/types.ts";

type Kind = Outcome["kind"];

/** Refusals of the host by status; any other 4xx is `dead`, any 5xx `unknown`. */
const byStatus: Readonly<Record<number, Kind>> = {
  401: "key_refused",
  403: "key_refused",
  408: "unknown",
  425: "unknown",
  429: "rate_limited",
};

/** Characters of a host's message that are kept: they stand in the row of the webhook, once for every try. */
const MAX_MESSAGE = 500;
/** Characters of an id that are kept. */
const MAX_RESULT = 100;
const WRONG_ADDRESS = "is EMAIL_API_URL the address of the API?";

/**
 * Classifies what a try threw. A 409 on a keyed call that says its key was used means an earlier try landed, whatever
 * we heard of it; any other 409 is a refusal (on `contacts/update`: email and userId belong to two people).
 */
export const outcomeOf = (call: Pick<Call, "action">, error: unknown): Outcome => {
  if (!(error instanceof ApiError)) return { kind: "unknown", message: reasonOf(error) };
  const { status } = error;
  const message = error.message.slice(0, MAX_MESSAGE);
  if (status === 409 && isKeyed(call) && saysKeyUsed(error)) return { kind: "done", status, message };
  if (status === 409 && isKeyed(call) && saysInProgress(error)) return { kind: "unknown", status, message };
  if (status === 404 && call.action === "delete") return { kind: "done", status, message };
  // An API never redirects: this is another server, or http in place of https.
  if (status >= 300 && status < 400)
    return { kind: "unknown", status, message: `Answered with a redirect (${status}): ${WRONG_ADDRESS}` };
  const kind = byStatus[status] ?? (status >= 500 ? "unknown" : "dead");
  return kind === "rate_limited"
    ? { kind, status, message, wait: error.retryAfter ?? 0 }
    : ({ kind, status, message } as Outcome);
};

/**
 * What an answer of 2xx came to. Every operation answers with a JSON object: anything else was not written by the API
 * (a web page behind a wrong address), and says nothing of the call. The same key finds out.
 */
export const outcomeOfAnswer = (answer: unknown): Outcome => {
  if (typeof answer !== "object" || answer === null) {
    return {
      kind: "unknown",
      status: 200,
      message: `The answer was 2xx but not JSON: ${WRONG_ADDRESS}`,
    };
  }
  const { id } = answer as { id?: unknown };
  return { kind: "done", status: 200, ...(typeof id === "string" ? { result: id.slice(0, MAX_RESULT) } : {}) };
};

/**
 * What the answer to somebody else's request says of the team's limit and key; the rest is between the two. Only a 2xx
 * shows that the key is good. `own`: false where the limit is one of its own, which is no reason to stop anything.
 */
export const outcomeOfGatewayAnswer = ({ status, headers }: Response, own: boolean, now: number): Outcome => {
  const message = `Answered with ${status}.`;
  if (status >= 200 && status < 300) return { kind: "done", status };
  if (status === 401) return { kind: "key_refused", status, message: "The email service refuses the key." };
  if (status === 429 && own)
    return { kind: "rate_limited", status, message, wait: parseRetryAfter(headers.get("Retry-After"), now) ?? 0 };
  return { kind: "unknown", status, message };
};

/** Our code, or the wordings that hosts of this API have used. */
const saysKeyUsed = (error: ApiError): boolean =>
  error.code === "idempotency_key_used" ||
  (error.code === undefined && /idempotency|already (been )?processed/i.test(error.message) && !saysInProgress(error));

/** The first try is still at it: nobody knows yet what comes of it. */
const saysInProgress = (error: ApiError): boolean => /in progress|being processed/i.test(error.message);

const reasonOf = (error: unknown): string => {
  const { name, message } = error as Error;
  return name === "TimeoutError" || name === "AbortError"
    ? "The host did not answer in time."
    : `The host could not be reached: ${message}`.slice(0, MAX_MESSAGE);
};
