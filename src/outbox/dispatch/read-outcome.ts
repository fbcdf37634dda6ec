import { ApiError, ForeignAnswerError, parseRetryAfter, readForm } from "../../lib/contract/client.ts";
import { formsOf, type Operation } from "../../lib/contract/operation.ts";
import { neverLeft } from "../../lib/util/never-left.ts";
import { isKeyed } from "../model/delivery-deadlines.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";

type Kind = Outcome["kind"];

/** Any other 4xx is `failed`, any other 5xx `unknown`. */
const byStatus: Readonly<Record<number, Kind>> = {
  401: "key_refused",
  403: "key_refused",
  408: "unknown",
  425: "unknown",
  429: "rate_limited",
  507: "unavailable",
};

/** Errors of the edge about the way to the email service, as Cloudflare numbers them. */
const ofEdge: Readonly<Record<number, string>> = {
  521: "connection refused",
  522: "connection timed out",
  523: "no route",
  524: "no answer in time",
  525: "TLS failed",
  526: "TLS certificate is not valid",
  530: "the host name does not resolve",
};

/** Characters: the webhook's row holds one message per attempt. */
const MAX_MESSAGE = 500;
const MAX_RESULT = 100;
/** Milliseconds. */
const MAX_FOREIGN_WAIT = 60_000;

/** Classifies an error. A 409 for a used key means earlier success; another 409 is a refusal. */
export const outcomeOf = (delivery: Pick<Delivery, "action">, error: unknown): Outcome => {
  if (error instanceof ForeignAnswerError) return foreign(error);
  if (neverLeft(error)) return { kind: "deferred", message: notSent(error) };
  if (!(error instanceof ApiError)) return { kind: "unknown", message: reasonOf(error), down: whatFails(error) };
  const { status } = error;
  const message = error.message.slice(0, MAX_MESSAGE);
  if (status === 409 && isKeyed(delivery) && saysKeyUsed(error)) return { kind: "done", status, message };
  if (status === 409 && isKeyed(delivery) && saysInProgress(error))
    return { kind: "unknown", status, message, own: true };
  if (status === 404 && delivery.action === "delete") return { kind: "done", status, message };
  const kind =
    error.code === "overloaded" ? "unavailable" : (byStatus[status] ?? (status >= 500 ? "unknown" : "failed"));
  if (kind === "failed" && saysConflict(delivery, error)) return { kind, status, message, conflict: true };
  if (kind === "rate_limited") return { kind, status, message, wait: error.retryAfter ?? 0 };
  if (kind === "key_refused") return { kind, status, message, ...(error.plain ? { plain: true } : {}) };
  return { kind, status, message, ...(status >= 500 ? { down: String(status) } : {}) } as Outcome;
};

/**
 * The email service may have acted, so the outcome is unknown.
 * A foreign 429 delays only its delivery: a firewall may limit one name. Many start a backoff (`foreign-answers.ts`).
 */
const foreign = ({ status, message, retryAfter = 0 }: ForeignAnswerError): Outcome => ({
  kind: "unknown",
  status,
  foreign: true,
  message: status < 500 ? `${message} Is EMAIL_API_URL the address of the API?` : message,
  ...(status === 429 ? { wait: Math.min(retryAfter, MAX_FOREIGN_WAIT) } : { down: foreignAnswer(status, message) }),
});

const foreignAnswer = (status: number, message: string): string => {
  const said = /answered (.*?)\.?$/.exec(message)?.[1] ?? String(status);
  return ofEdge[status] === undefined ? said : `${status}, ${ofEdge[status]}`;
};

/** Beginnings of the email Worker's ids. Other email services have other ids, or none. */
const IDS: Readonly<Partial<Record<Delivery["action"], string>>> = {
  contact: "con_",
  event: "evt_",
  transactional: "snd_",
};

/** Classifies a success. The id of a thing of another kind belongs to another request. */
export const outcomeOfAnswer = ({ action }: Pick<Delivery, "action">, answer: unknown): Outcome => {
  if (Array.isArray(answer)) return { kind: "done", status: 200, found: answer };
  const { id } = answer as { id?: unknown };
  const other = Object.values(IDS).find((start) => typeof id === "string" && id.startsWith(start));
  if (other !== undefined && other !== IDS[action]) {
    const down = `200 with the id of another request (${other}…)`;
    const message = `Something in front of the email service answered ${down}.`;
    return { kind: "unknown", status: 200, foreign: true, message, down };
  }
  return { kind: "done", status: 200, ...(typeof id === "string" ? { result: id.slice(0, MAX_RESULT) } : {}) };
};

/**
 * Classifies a gateway response for rate limit and key only.
 *
 * @param own false for an operation with a separate rate limit
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
    return isMistake(status, text, operation)
      ? { kind: "unknown", status, message }
      : { kind: "unknown", status, message, foreign: true, down: foreignAnswer(status, message) };
  if (status === 401) return { kind: "key_refused", status, message };
  if (status === 429 && own)
    return { kind: "rate_limited", status, message, wait: parseRetryAfter(headers.get("Retry-After"), now) ?? 0 };
  return { kind: "unknown", status, message, ...(status < 500 ? { own: true } : {}) };
};

const isMistake = (status: number, text: string | undefined, operation: Operation | undefined): boolean =>
  text === "" && status < 500 && (operation === undefined || status === 401 || status === 405);

/** Matches our error code, and the messages of other servers of this API. */
const saysKeyUsed = (error: ApiError): boolean =>
  error.code === "idempotency_key_used" ||
  (error.code === undefined && /idempotency|already (been )?processed/i.test(error.message) && !saysInProgress(error));

/** Servers without error codes reply to such an update with a plain 409. */
const saysConflict = ({ action }: Pick<Delivery, "action">, { code, status }: ApiError): boolean =>
  code === "contact_conflict" || (code === undefined && status === 409 && action === "contact");

const saysInProgress = (error: ApiError): boolean => /in progress|being processed/i.test(error.message);

export const notSent = (error: unknown): string =>
  `The request was not sent: ${(error as Error).message}`.slice(0, MAX_MESSAGE);

/** Says what fails without names. workerd has one error for a refused and a lost connection, one for DNS and TLS. */
export const whatFails = (error: unknown): string => {
  if (error instanceof ForeignAnswerError) return foreignAnswer(error.status, error.message);
  const { name, message } = error as Error;
  if (name === "TimeoutError" || name === "AbortError") return "no answer in time";
  if (/refused/i.test(message)) return "connection refused";
  if (/connection lost|reset|disconnected/i.test(message)) return "connection refused or lost";
  if (/^internal error|certificate|TLS|resolve/i.test(message))
    return "no connection, because the host name does not resolve or TLS fails,";
  return "connection failed";
};

const reasonOf = (error: unknown): string => {
  const { name, message } = error as Error;
  return name === "TimeoutError" || name === "AbortError"
    ? "The email service did not answer in time."
    : `The email service could not be reached: ${message}`.slice(0, MAX_MESSAGE);
};
