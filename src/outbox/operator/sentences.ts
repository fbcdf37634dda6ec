import { needsAttention, webhookIdOf } from "../model/calls.ts";
import { isKeyed } from "../model/policy.ts";
import { reasons } from "../model/reasons.ts";
import type { Act, Attempt, Call, CallRef, Journalled, KeptOutcome } from "../model/types.ts";
import type { WaitsFor } from "./waiting.ts";

/** Formats a delivery id: webhook id and index. */
export const callIdOf = ({ seq, index }: CallRef): string => `${webhookIdOf(seq)}.${index}`;

/** Formats a time as UTC to the second. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** Describes a delivery's action as a noun. */
export const describeCall = (call: Call): string => {
  if (call.action === "transactional") return `the mail "${call.template}"`;
  if (call.action === "event") return `the event "${call.eventName}"`;
  return call.action === "delete" ? "the removal of the contact" : "the contact update";
};

export const whomOf = ({ contact: { email, userId, ref } }: Call): string =>
  email ?? (userId === undefined ? (ref ?? "an unknown person") : `user ${userId}`);

/** Explains a delivery's state in one or two sentences. */
export const whyCall = (call: Call, waiting: WaitsFor | undefined): string => {
  const message = call.message ?? "";
  const last = call.attempts.at(-1);
  switch (call.state) {
    case "done":
      return whyDone(call);
    case "superseded":
      return `superseded: ${message || "newer webhooks have set all of its values."}`;
    case "skipped":
      return `skipped: ${message}`;
    case "parked":
      return `parked until a person decides: ${message}`;
    case "dead":
      if (message.startsWith(reasons.expired) || last?.status === undefined || last.message !== call.message)
        return `${sentence(message || "dead.")}${maybeSent(call)}`;
      return sentence(`the host refused it with ${last.status}: ${message}`);
    default:
      return waiting ? whyWaiting(waiting, call) : "waiting.";
  }
};

const maybeSent = ({ unknownSince, message = "" }: Call): string =>
  unknownSince === undefined || !message.startsWith(reasons.expired) || message.includes("may have been sent")
    ? ""
    : ` But the outcome of the attempt at ${timeOf(unknownSince)} is unknown: the mail may have been sent.`;

const NO_CHANGE: ReadonlySet<string> = new Set([
  reasons.noContact,
  reasons.notMade,
  reasons.ofAnotherUser,
  reasons.noFormerContact,
]);

const whyDone = (call: Call): string => {
  const last = call.attempts.at(-1);
  const at = last ? ` at ${timeOf(last.at)}` : "";
  if (last?.status === 409 && isKeyed(call)) {
    return `done: an earlier attempt had succeeded without an answer. The host answered the next attempt${at} with 409 ("${last.message ?? "key used"}"), so nothing was sent twice.`;
  }
  if (call.message !== undefined && NO_CHANGE.has(call.message)) return `done: ${call.message}`;
  if (last?.status === 404) return `done${at}: the contact did not exist any more.`;
  const attempt = call.attempts.length > 1 ? ` on attempt ${call.attempts.length}` : "";
  const together = call.sentWith === undefined ? "" : `, in one request with ${call.sentWith}`;
  const id = call.result === undefined ? "" : ` (${call.result})`;
  const other = call.message?.startsWith(reasons.showsOther) ? ` ${call.message}` : "";
  return `done: the host accepted it${at}${attempt}${together}${id}.${other}${call.attempts.some(isConflict) ? TWO_CONTACTS : ""}`;
};

const isConflict = ({ message }: Attempt): boolean => message?.endsWith(reasons.sentAlone) === true;

const TWO_CONTACTS =
  " The host has two contacts for this person, one with the user id and one with the address. To mend it, delete one of them with POST /v1/contacts/delete.";

const whyWaiting = (waiting: WaitsFor, call: Call): string => {
  switch (waiting.for) {
    case "answer":
      return "sending: the host has not answered yet.";
    case "identity":
      if (call.waitsForTie && call.removes)
        return `waiting for identity: no webhook has named user ${call.contact.userId} before this removal. One from before it may still come; at ${timeOf(waiting.until)} the call is sent with what is known.`;
      if (call.waitsForTie)
        return `waiting for identity: no webhook has tied user ${call.contact.userId} to an email address yet. If none does until ${timeOf(waiting.until)}, the call is sent with the user id alone.`;
      return `waiting for identity: no webhook has given ${missingOf(call)} of ${whomOf(call)} yet. The call is parked if none does until ${timeOf(waiting.until)}.`;
    case "paused":
      return waiting.source === undefined
        ? `paused: a person paused all delivery at ${timeOf(waiting.since)}.`
        : `paused: a person paused the source ${waiting.source} at ${timeOf(waiting.since)}.`;
    case "blocked":
      return `blocked since ${timeOf(waiting.since)}: the host refuses the API key or cannot be called ("${waiting.message}"). The next attempt is at ${timeOf(waiting.until)}. No call is lost.`;
    case "backoff":
      return `backoff: the host answered 429 ("${waiting.message}"). Delivery continues at ${timeOf(waiting.until)}.`;
    case "turn":
      return `waiting for its turn: ${callIdOf(waiting.behind)} of the same person is sent first.`;
    case "time":
      return call.attempts.length > 0
        ? `waiting for the next attempt at ${timeOf(waiting.until)}. The last attempt: ${lastAttempt(call)}`
        : `waiting until ${timeOf(waiting.until)}.${call.repeats === undefined ? "" : ` ${LATE}`}`;
    default:
      return call.attempts.length > 0
        ? `waiting for the next attempt. The last attempt: ${lastAttempt(call)}`
        : "waiting for a free slot.";
  }
};

export const LATE =
  "An earlier request for this person got no answer. It may reach the host until then, and would undo this call.";

const missingOf = ({ action }: Call): string =>
  action === "transactional" ? "the email address" : "the email address or user id";

const lastAttempt = ({ attempts }: Call): string => {
  const last = attempts.at(-1);
  return sentence(`${last?.status === undefined ? "" : `${last.status}, `}${last?.message ?? "no answer"}`);
};

export const whyRule = ({ rule, outcome, clause, message }: KeptOutcome): string => {
  if (outcome === "matched") return `rule "${rule}" matched.${message ? ` ${message}` : ""}`;
  if (outcome === "failed") return `rule "${rule}" failed: ${sentence(message ?? "")}`;
  if (clause === undefined && message !== undefined) return `rule "${rule}" did not match: ${message}`;
  return `rule "${rule}" did not match: its condition was false: ${clause ?? "when"}`;
};

/** Explains why a webhook made no deliveries, or counts them. */
export const whyWebhook = ({ type, source, outcomes, calls, unreadable }: Journalled): string => {
  if (unreadable)
    return "The journal's row of this webhook is damaged. Neither the webhook nor its calls can be shown.";
  const count = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  const also = failed.length > 0 ? ` ${failed.map(whyRule).map(upper).join(" ")}` : "";
  const needing = calls.filter(needsAttention).length;
  const needs = needing === 0 ? "" : `; ${needing} ${needing === 1 ? "needs" : "need"} a person`;
  if (calls.length > 0) return `It made ${count}${needs}.${also}`;
  if (outcomes.length === 0) return `No rule matched: no rule of ${source} is on ${type}.`;
  const others = outcomes.filter(({ outcome }) => outcome === "not matched");
  if (failed.length > 0 && others.length === 0) return `No calls:${also}`;
  if (others.length === 0) return `No calls: ${outcomes.map(whyRule).map(upper).join(" ")}`;
  const conditions = others.map(({ rule, clause, message }) =>
    clause === undefined && message !== undefined ? message : `"${rule}" needs ${clause ?? "its condition"}`,
  );
  return `No rule matched: ${sentence([...new Set(conditions)].join("; "))}${also}`;
};

const DONE: Readonly<Record<Act["act"], string>> = {
  retry: "a person retried the call",
  discard: "a person discarded the call",
  "send again": "a person sent the call again with a new key",
  replay: "a replay made the call again",
  forget: "the person of the call was erased",
};
const DONE_BY: Readonly<Record<Act["act"], string>> = {
  retry: "the call was retried",
  discard: "the call was discarded",
  "send again": "the call was sent again with a new key",
  replay: "the call was made again, in a replay",
  forget: "the person of the call was erased",
};

export const whatWasDone = ({ act, by, state, message }: Act): string => {
  const before = `${state}${message === undefined ? "" : `: ${message}`}`;
  const done = by === undefined ? DONE[act] : `${DONE_BY[act]} by ${by}`;
  return sentence(`${done}; before that it was ${before}`);
};

const sentence = (text: string): string => (/[.!?…)]$/.test(text) || text === "" ? text : `${text}.`);
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
