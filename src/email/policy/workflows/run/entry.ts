import { DAY_MS } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph, Trigger, WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import type { TeamFacts } from "../../segments/facts.ts";
import { isPropertyChange } from "./property-change.ts";
import { gateOf } from "./step.ts";
import type { RunContact } from "./types.ts";

/** Most active runs of one contact in one workflow. */
export const MAX_ACTIVE = 100;
/** How long a paused workflow queues new contacts, in ms. */
export const QUEUEING_MS = DAY_MS;

/**
 * One write that may start workflows: a contact before and after it, and the name of the event that came with it. `signsUp`: the
 * contact was created by a request of the API.
 */
export type Write = {
  before: RunContact | undefined;
  after: RunContact;
  signsUp?: boolean;
  eventName?: string;
};

/** The part of a workflow that decides who enters. `pausedAt`: Unix ms. */
export type Entrance = { graph: Graph; list: string | null; status: WorkflowStatus; pausedAt: number | null };

/** The passages of a contact through a workflow up to now. */
export type History = { total: number; active: number };

/** Why a contact whose trigger fired did not enter. */
export type EntryRefusal =
  | "not_published"
  | "paused"
  | "unsubscribed"
  | "not_confirmed"
  | "left_list"
  | "entered_before"
  | "too_many_active";

export const triggerOf = (graph: Graph): Trigger => node(graph, graph.root) as Trigger;

/** Whether a write is what the trigger of the workflow waits for. */
export const isTriggered = (
  { graph, list }: Pick<Entrance, "graph" | "list">,
  write: Write,
  team: TeamFacts,
): boolean => {
  const trigger = triggerOf(graph);
  const { before, after } = write;
  switch (trigger.typeName) {
    case "BlankTrigger":
      return false;
    case "SignupTrigger":
      // With double opt-in, the gate is closed for a new contact until it confirms.
      return (
        write.signsUp === true || (before?.data.optInStatus === "pending" && after.data.optInStatus === "accepted")
      );
    case "EventTrigger":
      return trigger.eventName !== null && trigger.eventName === write.eventName;
    case "ContactPropertyTrigger":
      // A new contact has no value that was changed.
      return (
        before !== undefined &&
        trigger.contactPropertyQuery !== null &&
        isPropertyChange(trigger.contactPropertyQuery, before, after, team)
      );
    case "AddToListTrigger":
      return list !== null && isOn(after, list) && !isOn(before, list);
  }
};

/** A contact that has to confirm its subscription is on no list until then, as for outgoing webhooks. */
const isOn = (contact: RunContact | undefined, list: string): boolean =>
  contact !== undefined && !isUnconfirmed(contact) && contact.data.mailingLists[list] === true;

const isUnconfirmed = ({ data: { optInStatus } }: RunContact): boolean =>
  optInStatus === "pending" || optInStatus === "rejected";

/** The status of a workflow now: a pause queues contacts for 24 hours only. */
export const statusAt = ({ status, pausedAt }: Pick<Entrance, "status" | "pausedAt">, now: number): WorkflowStatus =>
  status === "PausedAndQueueing" && now >= (pausedAt ?? 0) + QUEUEING_MS ? "Paused" : status;

/**
 * Why a contact whose trigger fires now does not enter; undefined when it enters. A contact that is kept out by its subscription may
 * enter later: only a passage counts as one.
 *
 * @param history read only where it decides
 */
export const refusalOfEntry = (
  workflow: Entrance,
  contact: RunContact,
  history: () => History,
  now: number,
): EntryRefusal | undefined => {
  const status = statusAt(workflow, now);
  if (status === "Draft") return "not_published";
  if (status === "Paused") return "paused";
  const closed = gateOf(contact, workflow.list);
  if (closed !== undefined) return closed;
  const trigger = triggerOf(workflow.graph);
  const { total, active } = history();
  if (total > 0 && !("reEligible" in trigger && trigger.reEligible)) return "entered_before";
  return active >= MAX_ACTIVE ? "too_many_active" : undefined;
};
