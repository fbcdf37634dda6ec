import { isKeyed } from "../model/delivery-deadlines.ts";
import { needsAttention, webhookIdOf } from "../model/delivery-state.ts";
import { outageText } from "../model/interruption.ts";
import type { Act, Attempt, Delivery, DeliveryRef, Journaled, KeptOutcome } from "../model/journal-types.ts";
import { noKey, reasons } from "../model/reasons.ts";
import type { WaitsFor } from "./wait-reason.ts";

/** Formats a delivery id: webhook id and index. */
export const deliveryIdOf = ({ seq, index }: DeliveryRef): string => `${webhookIdOf(seq)}.${index}`;

/** Formats a time as UTC to the second. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** Describes a delivery's action as a noun. */
export const describeDelivery = (delivery: Delivery): string => {
  if (delivery.action === "transactional") return `the mail "${delivery.template}"`;
  if (delivery.action === "event") return `the event "${delivery.eventName}"`;
  if (delivery.action === "fetch") return `the fetch of ${delivery.object}`;
  return delivery.action === "delete" ? "the removal of the contact" : "the contact update";
};

export const whomOf = (delivery: Delivery): string => {
  if (delivery.action === "fetch") return delivery.object;
  const { contact, sentTo } = delivery;
  const { email, userId, ref } = contact;
  const to = sentTo?.email ?? (sentTo?.userId === undefined ? undefined : `user ${sentTo.userId}`);
  if (email === undefined && userId === undefined && ref !== undefined)
    return to === undefined ? ref : `${ref} (${to})`;
  return email ?? (userId === undefined ? "an unknown person" : `user ${userId}`);
};

/** Explains a delivery's state in one or two sentences. */
export const whyDelivery = (delivery: Delivery, waiting: WaitsFor | undefined): string => {
  const message = delivery.message ?? "";
  const last = delivery.attempts.at(-1);
  if (delivery.action === "fetch" && delivery.state === "failed")
    return sentence(`the data of ${delivery.object} was not fetched: ${message}`);
  switch (delivery.state) {
    case "done":
      return whyDone(delivery);
    case "replaced":
      return `replaced: ${message || "newer webhooks have set all of its values."}`;
    case "skipped":
      return `skipped: ${message}`;
    case "undecided":
      return `needs a decision: ${message}`;
    case "failed":
      if (message.startsWith(reasons.expired) || last?.status === undefined || last.message !== delivery.message)
        return `${sentence(message || "failed.")}${maybeSent(delivery)}`;
      return sentence(`the email service refused it with ${last.status}: ${message}`);
    default:
      return waiting ? whyWaiting(waiting, delivery) : "waiting.";
  }
};

const maybeSent = ({ unknownSince, message = "" }: Delivery): string =>
  unknownSince === undefined || !message.startsWith(reasons.expired) || message.includes("may have been sent")
    ? ""
    : ` But the outcome of the attempt at ${timeOf(unknownSince)} is unknown: the mail may have been sent.`;

const NO_CHANGE: ReadonlySet<string> = new Set([
  reasons.noContact,
  reasons.notMade,
  reasons.ofAnotherUser,
  reasons.noFormerContact,
  reasons.noLeftContact,
]);

const whyDone = (delivery: Delivery): string => {
  if (delivery.action === "fetch") return `done: ${delivery.message ?? whyFetched(delivery)}`;
  const last = delivery.attempts.at(-1);
  const at = last ? ` at ${timeOf(last.at)}` : "";
  if (last?.status === 409 && isKeyed(delivery)) {
    return `done: an earlier attempt had succeeded without an answer. The email service answered the next attempt${at} with 409 ("${last.message ?? "key used"}"), so nothing was sent twice.`;
  }
  if (delivery.message !== undefined && NO_CHANGE.has(delivery.message)) return `done: ${delivery.message}`;
  if (last?.status === 404) return `done${at}: the contact did not exist any more.`;
  const attempt = delivery.attempts.length > 1 ? ` on attempt ${delivery.attempts.length}` : "";
  const together = delivery.sentWith === undefined ? "" : `, in one request with ${delivery.sentWith}`;
  const id = delivery.result === undefined ? "" : ` (${delivery.result})`;
  const other = delivery.message?.startsWith(reasons.showsOther) ? ` ${delivery.message}` : movedOf(delivery);
  return `done: the email service accepted it${at}${attempt}${together}${id}.${other}${delivery.attempts.some(isConflict) ? TWO_CONTACTS : ""}`;
};

const whyFetched = ({ attempts }: Delivery): string => {
  const at = timeOf(attempts.at(-1)?.at ?? 0);
  return `the provider gave the data of the event at ${at}${attempts.length > 1 ? ` on attempt ${attempts.length}` : ""}, and the rules ran on it.`;
};

const movedOf = (delivery: Delivery): string => {
  if (delivery.action !== "contact" || !delivery.restates) return "";
  return Object.keys(delivery.properties).length > 0
    ? " A customer of this contact belongs to another one now: the contact shows what stays."
    : " A customer came to this contact, which shows what it brought along.";
};

const isConflict = ({ message }: Attempt): boolean => message?.endsWith(reasons.sentAlone) === true;

const TWO_CONTACTS =
  " The email service has two contacts for this person, one with the user id and one with the address. To fix it, delete one of them with POST /v1/contacts/delete.";

const whyWaiting = (waiting: WaitsFor, delivery: Delivery): string => {
  switch (waiting.for) {
    case "answer":
      return "sending: the email service has not answered yet.";
    case "identity":
      if (delivery.waitsForTie && delivery.removes)
        return `waiting for identity: no webhook has named user ${delivery.contact.userId} before this removal. One from before it may still come; at ${timeOf(waiting.until)} the delivery is sent with what is known.`;
      if (delivery.waitsForTie)
        return `waiting for identity: no webhook has tied user ${delivery.contact.userId} to an email address yet. If none does until ${timeOf(waiting.until)}, the delivery is sent with the user id alone.`;
      return `waiting for identity: no webhook has given ${missingOf(delivery)} of ${whomOf(delivery)} yet. ${delivery.mayStayUnknown ? "The delivery is skipped" : "The delivery needs a decision"} if none does until ${timeOf(waiting.until)}.`;
    case "paused":
      return waiting.source === undefined
        ? `paused: a person paused all deliveries at ${timeOf(waiting.since)}.`
        : `paused: a person paused the source ${waiting.source} at ${timeOf(waiting.since)}.`;
    case "blocked":
      return `blocked since ${timeOf(waiting.since)}: the email service refuses the API key or cannot be called ("${waiting.message}"). The next attempt is at ${timeOf(waiting.until)}. No delivery is lost.`;
    case "outage":
      return `waiting for the email service. ${outageText(waiting)} No delivery is lost.`;
    case "backoff":
      return `backoff: the email service answered 429 ("${waiting.message}"). Deliveries continue at ${timeOf(waiting.until)}.`;
    case "fetch":
      return whyUnfetched(waiting, delivery);
    case "turn":
      return `waiting for its turn: ${deliveryIdOf(waiting.behind)} of the same person is sent first.`;
    case "time":
      return delivery.attempts.length > 0
        ? `waiting for the next attempt at ${timeOf(waiting.until)}. The last attempt: ${lastAttempt(delivery)}`
        : `waiting until ${timeOf(waiting.until)}.${delivery.repeats === undefined ? "" : ` ${LATE}`}`;
    default:
      return delivery.attempts.length > 0
        ? `waiting for the next attempt. The last attempt: ${lastAttempt(delivery)}`
        : whyAhead(waiting);
  }
};

const whyAhead = ({ ahead, at }: WaitsFor & { for: "slot" }): string => {
  if (ahead === 0) return "waiting: it is sent next.";
  const turn = at === undefined ? "" : ` It is sent at about ${timeOf(at)}.`;
  return `waiting: about ${ahead.toLocaleString("en")} ${ahead === 1 ? "delivery is" : "deliveries are"} ahead.${turn}`;
};

const whyUnfetched = ({ variable, until }: WaitsFor & { for: "fetch" }, delivery: Delivery): string => {
  if (variable !== undefined)
    return `waiting: ${noKey(variable)} With the key, the bridge fetches it and runs the rules. Without it, the fetch fails at ${timeOf(until)}.`;
  return delivery.attempts.length > 0
    ? `waiting for the next fetch at ${timeOf(delivery.due)}. The last one: ${lastAttempt(delivery)} It goes on until ${timeOf(until)}.`
    : "waiting for the data of the event, which the bridge fetches from the provider.";
};

export const LATE =
  "An earlier request for this person got no answer. It may reach the email service until then, and would undo this delivery.";

const missingOf = ({ action }: Delivery): string =>
  action === "transactional" ? "the email address" : "the email address or user id";

const lastAttempt = ({ attempts }: Delivery): string => {
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
export const whyWebhook = ({ type, source, outcomes, deliveries, unreadable }: Journaled): string => {
  if (unreadable)
    return "The journal's row of this webhook is damaged. Neither the webhook nor its deliveries can be shown.";
  const made = deliveries.filter(({ action }) => action !== "fetch").length;
  const count = made === 1 ? "1 delivery" : `${made} deliveries`;
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  const also = failed.length > 0 ? ` ${failed.map(whyRule).map(upper).join(" ")}` : "";
  const needing = deliveries.filter(needsAttention).length;
  const needs = needing === 0 ? "" : `; ${needing} ${needing === 1 ? "needs" : "need"} a person`;
  if (made > 0) return `It made ${count}${needs}.${also}`;
  if (deliveries.some(({ state }) => state !== "done"))
    return `It is a thin event, and its data was not fetched${needs}.`;
  if (outcomes.length === 0) return `No rule matched: no rule of ${source} is on ${type}.`;
  const others = outcomes.filter(({ outcome }) => outcome === "not matched");
  if (failed.length > 0 && others.length === 0) return `No deliveries:${also}`;
  if (others.length === 0) return `No deliveries: ${outcomes.map(whyRule).map(upper).join(" ")}`;
  const conditions = others.map(({ rule, clause, message }) =>
    clause === undefined && message !== undefined ? message : `"${rule}" needs ${clause ?? "its condition"}`,
  );
  return `No rule matched: ${sentence([...new Set(conditions)].join("; "))}${also}`;
};

const DONE: Readonly<Record<Act["act"], string>> = {
  retry: "a person retried the delivery",
  discard: "a person discarded the delivery",
  "send again": "a person sent the delivery again with a new key",
  replay: "a replay made the delivery again",
  erase: "the person of the delivery was erased",
};
const DONE_BY: Readonly<Record<Act["act"], string>> = {
  retry: "the delivery was retried",
  discard: "the delivery was discarded",
  "send again": "the delivery was sent again with a new key",
  replay: "the delivery was made again, in a replay",
  erase: "the person of the delivery was erased",
};

export const whatWasDone = ({ act, by, state, message }: Act): string => {
  const before = `${state}${message === undefined ? "" : `: ${message}`}`;
  const done = by === undefined ? DONE[act] : `${DONE_BY[act]} by ${by}`;
  return sentence(`${done}; before that it was ${before}`);
};

const sentence = (text: string): string => (/[.!?…)]$/.test(text) || text === "" ? text : `${text}.`);
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
