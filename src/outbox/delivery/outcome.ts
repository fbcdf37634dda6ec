import { ApiError, parseRetryAfter } from "../../lib/contract/client.ts";
import type { Outcome } from "../model/outcome.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call } from "../model/types.ts";

type Kind = Outcome["kind"];

/** Outcomes of error statuses. Any other 4xx is `dead`, any 5xx `unknown`. */
const byStatus: Readonly<Record<number, Kind>> = {
  401: "key_refused",
  403: "key_refused",
  408: "unknown",
  425: "unknown",
  429: "rate_limited",
};

/** Most characters stored of a host's message: the webhook's row holds one message per attempt. */
const MAX_MESSAGE = 500;
/** Most characters stored of an id. */
const MAX_RESULT = 100;
const WRONG_ADDRESS = "is EMAIL_API_URL the address of the API?";

/**
 * Classifies the error of an attempt. A 409 on a keyed call that says that the key was used means that an earlier attempt
 * succeeded. Any other 409 is a refusal (on `contacts/update`: email and userId belong to two contacts).
 */
export const outcomeOf = (call: Pick<Call, "action">, error: unknown): Outcome => {
  if (!(error instanceof ApiError)) return { kind: "unknown", message: reasonOf(error) };
  const { status } = error;
  const message = error.message.slice(0, MAX_MESSAGE);
  if (status === 409 && isKeyed(call) && saysKeyUsed(error)) return { kind: "done", status, message };
  if (status === 409 && isKeyed(call) && saysInProgress(error)) return { kind: "unknown", status, message };
  if (status === 404 && call.action === "delete") return { kind: "done", status, message };
  // The API never redirects: the address is of another server, or has http instead of https.
  if (status >= 300 && status < 400)
    return { kind: "unknown", status, message: `Answered with a redirect (${status}): ${WRONG_ADDRESS}` };
  const kind = byStatus[status] ?? (status >= 500 ? "unknown" : "dead");
  if (kind === "dead" && saysConflict(call, error)) return { kind, status, message, conflict: true };
  return kind === "rate_limited"
    ? { kind, status, message, wait: error.retryAfter ?? 0 }
    : ({ kind, status, message } as Outcome);
};

/**
 * Classifies the body of a 2xx answer. Every operation answers with a JSON object. Anything else is not from the API (for
 * example a web page at a wrong address), so the outcome is unknown, and a retry with the same key will find out.
 */
export const outcomeOfAnswer = (answer: unknown): Outcome => {
  if (typeof answer !== "object" || answer === null) {
    return {
      kind: "unknown",
      status: 200,
      message: `The answer was 2xx but not JSON: ${WRONG_ADDRESS}`,
    };
  }
  if (Array.isArray(answer)) return { kind: "done", status: 200, found: answer };
  const { id } = answer as { id?: unknown };
  return { kind: "done", status: 200, ...(typeof id === "string" ? { result: id.slice(0, MAX_RESULT) } : {}) };
};

/**
 * Classifies the answer to a gateway request, only as far as it concerns the team's rate limit and key. Only a 2xx shows
 * that the key is good.
 *
 * @param own false for an operation with its own rate limit at the host: its 429 does not interrupt delivery
 */
export const outcomeOfGatewayAnswer = ({ status, headers }: Response, own: boolean, now: number): Outcome => {
  const message = `Answered with ${status}.`;
  if (status >= 200 && status < 300) return { kind: "done", status };
  if (status === 401) return { kind: "key_refused", status, message: "The email service refuses the key." };
  if (status === 429 && own)
    return { kind: "rate_limited", status, message, wait: parseRetryAfter(headers.get("Retry-After"), now) ?? 0 };
  return { kind: "unknown", status, message };
};

/** Matches our error code, or the messages that other hosts of this API use. */
const saysKeyUsed = (error: ApiError): boolean =>
  error.code === "idempotency_key_used" ||
  (error.code === undefined && /idempotency|already (been )?processed/i.test(error.message) && !saysInProgress(error));

/** The user id and the address belong to two contacts. Hosts without codes answer an update with a plain 409. */
const saysConflict = ({ action }: Pick<Call, "action">, { code, status }: ApiError): boolean =>
  code === "contact_conflict" || (code === undefined && status === 409 && action === "contact");

/** The host is still working on an earlier attempt: its outcome is not known yet. */
const saysInProgress = (error: ApiError): boolean => /in progress|being processed/i.test(error.message);

const reasonOf = (error: unknown): string => {
  const { name, message } = error as Error;
  return name === "TimeoutError" || name === "AbortError"
    ? "The host did not answer in time."
    : `The host could not be reached: ${message}`.slice(0, MAX_MESSAGE);
};
