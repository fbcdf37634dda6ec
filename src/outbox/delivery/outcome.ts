import { ApiError, ForeignAnswerError, parseRetryAfter, readForm } from "../../lib/contract/client.ts";
import { formsOf, type Operation } from "../../lib/contract/operation.ts";
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
/** Longest time in ms for which a call waits because a foreign 429 asks for it. */
const MAX_FOREIGN_WAIT = 60_000;

/**
 * Classifies the error of an attempt. A 409 on a keyed call that says that the key was used means that an earlier attempt
 * succeeded. Any other 409 is a refusal (on `contacts/update`: email and userId belong to two contacts).
 */
export const outcomeOf = (call: Pick<Call, "action">, error: unknown): Outcome => {
  if (error instanceof ForeignAnswerError) return foreign(error);
  if (!(error instanceof ApiError)) return { kind: "unknown", message: reasonOf(error) };
  const { status } = error;
  const message = error.message.slice(0, MAX_MESSAGE);
  if (status === 409 && isKeyed(call) && saysKeyUsed(error)) return { kind: "done", status, message };
  if (status === 409 && isKeyed(call) && saysInProgress(error)) return { kind: "unknown", status, message };
  if (status === 404 && call.action === "delete") return { kind: "done", status, message };
  const kind = byStatus[status] ?? (status >= 500 ? "unknown" : "dead");
  if (kind === "dead" && saysConflict(call, error)) return { kind, status, message, conflict: true };
  if (kind === "rate_limited") return { kind, status, message, wait: error.retryAfter ?? 0 };
  if (kind === "key_refused") return { kind, status, message, ...(error.plain ? { plain: true } : {}) };
  return { kind, status, message } as Outcome;
};

/**
 * The outcome of an answer that is not in the form of the API. The host may have acted before something in front of it
 * answered, so the outcome is unknown.
 *
 * A foreign 429 delays its own call, for as long as it asks within a minute. It starts no backoff, because a firewall that
 * limits one name would then delay all mail. A proxy that limits everything answers several calls so, and the host none:
 * that starts one (`foreign-answers.ts`).
 */
const foreign = ({ status, message, retryAfter = 0 }: ForeignAnswerError): Outcome => ({
  kind: "unknown",
  status,
  foreign: true,
  message: status < 500 ? `${message} Is EMAIL_API_URL the address of the API?` : message,
  ...(status === 429 ? { wait: Math.min(retryAfter, MAX_FOREIGN_WAIT) } : {}),
});

/** The outcome of a success. The answer to a search is a list of contacts. */
export const outcomeOfAnswer = (answer: unknown): Outcome => {
  if (Array.isArray(answer)) return { kind: "done", status: 200, found: answer };
  const { id } = answer as { id?: unknown };
  return { kind: "done", status: 200, ...(typeof id === "string" ? { result: id.slice(0, MAX_RESULT) } : {}) };
};

/**
 * Classifies the answer to a gateway request, only as far as it concerns the team's rate limit and key.
 *
 * @param text the body; undefined where it is too large to be classified
 * @param operation undefined for an operation that the contract does not have
 * @param own false for an operation with its own rate limit at the host: its 429 does not interrupt delivery
 */
export const outcomeOfGatewayAnswer = (
  answer: Response,
  text: string | undefined,
  operation: Operation | undefined,
  own: boolean,
  now: number,
): Outcome => {
  const { status, headers } = answer;
  if (answer.ok && (status === 204 || text === undefined)) return { kind: "done", status };
  const read = readForm(answer, text, formsOf(operation));
  if (read.form === "success") return { kind: "done", status };
  const { message } = read;
  if (read.form === "foreign")
    return { kind: "unknown", status, message, ...(isMistake(status, text, operation) ? {} : { foreign: true }) };
  if (status === 401) return { kind: "key_refused", status, message };
  if (status === 429 && own)
    return { kind: "rate_limited", status, message, wait: parseRetryAfter(headers.get("Retry-After"), now) ?? 0 };
  return { kind: "unknown", status, message };
};

/** True for an empty answer to a mistake of the caller: a method, a key or a path that the host does not know. */
const isMistake = (status: number, text: string | undefined, operation: Operation | undefined): boolean =>
  text === "" && status < 500 && (operation === undefined || status === 401 || status === 405);

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
