import type { Trigger, WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import { readerOf } from "../../segments/evaluate.ts";
import {
  type Entrance,
  type EntryRefusal,
  type History,
  MAX_ACTIVE,
  QUEUEING_MS,
  refusalOfEntry,
  statusAt,
  triggerOf,
} from "./entry.ts";
import type { Line } from "./explain.ts";
import { type Version, versionAt, wordsOfTime, wordsOfTrigger } from "./run-words.ts";
import type { gateOf } from "./step.ts";
import type { RunContact } from "./types.ts";

export type NotEntered = { code: EntryRefusal | "no_trigger"; text: string };

const REFUSALS: Readonly<Record<EntryRefusal, string>> = {
  not_published: "the workflow was never started. It takes contacts from its start on.",
  paused: "the workflow is paused. It takes new contacts again when it is resumed.",
  unsubscribed: "the contact is unsubscribed.",
  not_confirmed: "the person has not confirmed the subscription.",
  left_list: "the contact is not on the workflow's mailing list.",
  entered_before: "it was in the workflow before, and each contact enters once.",
  too_many_active: `it is in the workflow ${MAX_ACTIVE} times already.`,
};

export const refusedEntry = (code: EntryRefusal): NotEntered => ({
  code,
  text: `The contact does not enter: ${REFUSALS[code]}`,
});

export const explainEntry = (workflow: Entrance, contact: RunContact, history: History, now: number): NotEntered => {
  const code = refusalOfEntry(workflow, contact, () => history, now);
  if (code === "paused") return { code, text: `The contact does not enter: ${wordsOfPause(workflow)}` };
  if (code !== undefined) return refusedEntry(code);
  return { code: "no_trigger", text: wordsOfNoTrigger(workflow, contact, history) };
};

const wordsOfPause = ({ status, pausedAt }: Entrance): string =>
  status === "Paused"
    ? "the workflow is stopped. It takes new contacts again when it is started."
    : `the workflow is paused. It queued new contacts for 24 hours, until ${wordsOfTime((pausedAt ?? 0) + QUEUEING_MS)}.`;

const wordsOfNoTrigger = ({ trigger, list }: Entrance, contact: RunContact, { total }: History): string => {
  const words = wordsOfTrigger(trigger);
  if (words === undefined) return "The contact has not entered, because the trigger of the workflow is not complete.";
  if (total > 0) return `The contact has entered before. It enters again with ${words}.`;
  const since = `The contact has not entered. The workflow starts with ${words}. It has not started for this contact yet.`;
  const already = wordsOfState(trigger, list, contact);
  return already === undefined ? since : `${since} ${already}`;
};

const wordsOfState = (trigger: Trigger, list: string | null, contact: RunContact): string | undefined => {
  if (trigger.typeName === "AddToListTrigger")
    return list !== null && contact.data.mailingLists[list] === true
      ? "The contact is on the list already: it joined at a time when the workflow took no contacts."
      : undefined;
  if (trigger.typeName !== "ContactPropertyTrigger" || trigger.contactPropertyQuery === null) return undefined;
  const { key } = trigger.contactPropertyQuery;
  const value = readerOf(key)(contact);
  const words = value === undefined || value === null || value === "" ? "empty" : JSON.stringify(value);
  return `Its "${key}" is ${words} now. Only a change starts the workflow, and a new contact is no change.`;
};

type Gate = NonNullable<ReturnType<typeof gateOf>>;

/** `at`: Unix ms. `event`: name; null for the creation of the contact. */
export type Cause = { at: number; event: string | null };

/**
 * `changes`: status changes, oldest first, in Unix ms. `entries`: runs. `until`: end of a run.
 * `causes`: newest last. `gate`: present obstacle.
 */
export type Past = {
  changes: readonly { at: number; status: WorkflowStatus }[];
  versions: readonly Version[];
  entries: readonly { run: number; at: number; until: number | null }[];
  causes: readonly Cause[];
  gate: Gate | undefined;
};

export const explainPast = (past: Past): Line[] =>
  past.causes.map((cause) => ({ at: cause.at, node: null, text: wordsOfCause(past, cause) }));

const GATES: Readonly<Record<Gate, string>> = {
  unsubscribed: "Now it is unsubscribed, which keeps it out.",
  not_confirmed: "Now its subscription is not confirmed, which keeps it out.",
  left_list: "Now it is not on the workflow's mailing list, which keeps it out.",
};

const wordsOfCause = ({ changes, versions, entries, gate }: Past, cause: Cause): string => {
  const { at, event } = cause;
  const happened = event === null ? "The contact was created." : `The event "${event}" was received.`;
  const entry = entries.find((one) => one.at === at);
  if (entry) return `${happened} It started run ${entry.run}.`;
  const change = changes.findLast((one) => one.at <= at);
  const status = change ? statusAt({ status: change.status, pausedAt: change.at }, at) : "Draft";
  if (status === "Draft") return `${happened} The workflow was a draft then, and took no contacts.`;
  if (status === "Paused")
    return `${happened} The workflow was ${change?.status === "Paused" ? "stopped" : "paused"} then, and took no contacts.`;
  const version = versionAt(versions, at);
  const trigger = version && triggerOf(version.graph);
  if (trigger?.typeName === "EventTrigger" && isSpeltAs(trigger.eventName, event))
    return `${happened} The workflow starts with "${trigger.eventName}": upper and lower case count.`;
  if (trigger && !waitsFor(trigger, cause)) return `${happened} The workflow had another trigger then.`;
  const isOnce = !(trigger && "reEligible" in trigger && trigger.reEligible);
  if (isOnce && entries.some((one) => one.at < at))
    return `${happened} The contact had been in the workflow before, and each contact enters once.`;
  const active = entries.filter((one) => one.at < at && (one.until === null || one.until > at));
  if (active.length >= MAX_ACTIVE) return `${happened} The contact was in the workflow ${MAX_ACTIVE} times already.`;
  const consent = version?.list == null ? "subscription" : "subscription or mailing lists";
  const today = gate === undefined ? `Now its ${consent} would let it enter.` : GATES[gate];
  return `${happened} The ${consent} of the contact did not let it enter then, and that state is not kept. ${today}`;
};

const isSpeltAs = (wanted: string | null, event: string | null): boolean =>
  wanted !== event && wanted !== null && wanted.toLowerCase() === event?.toLowerCase();

const waitsFor = (trigger: Trigger, { event }: Cause): boolean =>
  event === null
    ? trigger.typeName === "SignupTrigger"
    : trigger.typeName === "EventTrigger" && trigger.eventName === event;
