import { idOf } from "../model/calls.ts";
import { isKeyed } from "../model/policy.ts";
import type { Call, CallRef, Journalled, KeptOutcome } from "../model/types.ts";
import type { Waiting } from "./waiting.ts";

/** The id of a call as it is shown: that of its webhook, and its place there. */
export const callIdOf = ({ seq, index }: CallRef): string => `${idOf(seq)}.${index}`;

/** A time for people, UTC to the second. */
export const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** What a call does, for people. */
export const taskOf = (call: Call): string => {
  if (call.action === "transactional") return `the mail "${call.template}"`;
  if (call.action === "event") return `the event "${call.eventName}"`;
  return call.action === "delete" ? "the removal of the contact" : "the contact update";
};

/** Whom a call is about, for people. */
export const whomOf = ({ contact: { email, userId, ref } }: Call): string =>
  email ?? (userId === undefined ? (ref ?? "nobody known") : `user ${userId}`);

/** Why a call is in its state, in a sentence or two. */
export const whyCall = (call: Call, waiting: Waiting | undefined): string => {
  const message = call.message ?? "";
  const last = call.attempts.at(-1);
  switch (call.state) {
    case "done":
      return whyDone(call);
    case "superseded":
      return `superseded: ${message || "newer webhooks overtook it."}`;
    case "skipped":
      return `skipped: ${message}`;
    case "parked":
      return `parked for a person: ${message}`;
    case "dead":
      if (message.startsWith("expired") || last?.status === undefined || last.message !== call.message)
        return `${sentence(message || "dead.")}${maybeSent(call)}`;
      return sentence(`the host refused it with ${last.status}: ${message}`);
    default:
      return waiting ? whyWaiting(waiting, call) : "waiting.";
  }
};

/** What a try whose outcome was never learned leaves open, where no later try has told. */
const maybeSent = ({ unknownSince, message = "" }: Call): string =>
  unknownSince === undefined || !message.startsWith("expired") || message.includes("may have been sent")
    ? ""
    : ` But the outcome of the try at ${timeOf(unknownSince)} is unknown: it may have been sent.`;

const whyDone = (call: Call): string => {
  const last = call.attempts.at(-1);
  const tries = call.attempts.length > 1 ? ` at try ${call.attempts.length}` : "";
  const at = last ? ` at ${timeOf(last.at)}` : "";
  if (last?.status === 409 && isKeyed(call)) {
    return `landed: an earlier try had reached the host. It said 409 ("${last.message ?? "key used"}") to the next one${at}, so nothing was sent twice.`;
  }
  if (last?.status === 404) return `done${at}: the contact was gone already.`;
  const with_ = call.sentWith === undefined ? "" : `, in one request with ${call.sentWith}`;
  const id = call.result === undefined ? "" : ` (${call.result})`;
  return `done: the host took it${at}${tries}${with_}${id}.`;
};

/** What an undecided call waits for, in a sentence. */
const whyWaiting = (waiting: Waiting, call: Call): string => {
  switch (waiting.for) {
    case "answer":
      return "sending: the host has not answered yet.";
    case "identity":
      return `waiting for identity: no webhook has told who ${call.contact.ref ?? whomOf(call)} is${call.action === "transactional" ? " or at which address" : ""}. Until ${timeOf(waiting.until)}, then it is parked.`;
    case "resume":
      return waiting.source === undefined
        ? `paused: a person paused all delivery at ${timeOf(waiting.since)}.`
        : `paused: a person paused the source ${waiting.source} at ${timeOf(waiting.since)}.`;
    case "credentials":
      return `held on credentials since ${timeOf(waiting.since)}: the host refuses the key ("${waiting.message}"). It is asked again at ${timeOf(waiting.until)}; nothing is lost.`;
    case "limit":
      return `waiting for the limit: the host asked to slow down ("${waiting.message}") until ${timeOf(waiting.until)}.`;
    case "turn":
      return `waiting for its turn: ${callIdOf(waiting.behind)} of the same person comes first.`;
    case "time":
      return call.attempts.length > 0
        ? `waiting for the next try at ${timeOf(waiting.until)}: ${lastTry(call)}`
        : `waiting until ${timeOf(waiting.until)}.`;
    default:
      return call.attempts.length > 0 ? `waiting for the next try: ${lastTry(call)}` : "waiting for a free place.";
  }
};

const lastTry = ({ attempts }: Call): string => {
  const last = attempts.at(-1);
  return sentence(`${last?.status === undefined ? "" : `${last.status}, `}${last?.message ?? "no answer"}`);
};

/** What became of a rule. */
export const whyRule = ({ rule, outcome, clause, message }: KeptOutcome): string => {
  if (outcome === "matched") return `rule "${rule}" matched.`;
  if (outcome === "failed") return `rule "${rule}" failed: ${sentence(message ?? "")}`;
  return `rule "${rule}" did not match: its condition was false: ${clause ?? "when"}`;
};

/** Why a webhook made no calls, or that it made some. */
export const whyWebhook = ({ type, source, outcomes, calls, unreadable }: Journalled): string => {
  if (unreadable) return "Its row in the journal cannot be read: what it was and what came of it is not known.";
  const count = calls.length === 1 ? "1 call" : `${calls.length} calls`;
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  const also = failed.length > 0 ? ` ${failed.map(whyRule).map(upper).join(" ")}` : "";
  if (calls.length > 0) return `It made ${count}.${also}`;
  if (outcomes.length === 0) return `No rule matched: no rule of ${source} is on ${type}.`;
  const others = outcomes.filter(({ outcome }) => outcome === "not matched");
  if (failed.length > 0 && others.length === 0) return `No calls:${also}`;
  const told = others.map(({ rule, clause }) => `"${rule}" needs ${clause ?? "its condition"}`).join("; ");
  return `No rule matched: ${told}.${also}`;
};

/** How a call stood before a person acted, and what was done. */
export const whatWasDone = ({ act, state, message }: NonNullable<Call["acts"]>[number]): string => {
  const before = `it was ${state}${message === undefined ? "" : `: ${message}`}`;
  const done = {
    retry: "a person asked for another try",
    discard: "discarded by a person",
    "send again": "a person had it sent again, with a new key",
    replay: "made again by a replay",
    forget: "its person was forgotten",
  }[act];
  return sentence(`${done}; ${before}`);
};

const sentence = (text: string): string => (/[.!?…)]$/.test(text) || text === "" ? text : `${text}.`);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
