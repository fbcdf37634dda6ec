import { DAY_MS } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph, Trigger, WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import type { TeamFacts } from "../../segments/facts.ts";
import { isPropertyChange } from "./property-change.ts";
import { gateOf } from "./step.ts";
import type { RunContact } from "./types.ts";

/** Active runs per contact and workflow. */
export const MAX_ACTIVE = 100;
/** Time in ms for which a paused workflow queues new contacts. */
export const QUEUEING_MS = DAY_MS;

/** `signsUp`: an API request created the contact. */
export type Write = {
  before: RunContact | undefined;
  after: RunContact;
  signsUp?: boolean;
  eventName?: string;
};

/** `pausedAt`: Unix ms. */
export type Entrance = { trigger: Trigger; list: string | null; status: WorkflowStatus; pausedAt: number | null };

export type History = { total: number; active: number };

export type EntryRefusal =
  | "not_published"
  | "paused"
  | "unsubscribed"
  | "not_confirmed"
  | "left_list"
  | "entered_before"
  | "too_many_active";

export const triggerOf = (graph: Graph): Trigger => node(graph, graph.root) as Trigger;

export const isTriggered = (
  { trigger, list }: Pick<Entrance, "trigger" | "list">,
  write: Write,
  team: TeamFacts,
): boolean => {
  const { before, after } = write;
  switch (trigger.typeName) {
    case "BlankTrigger":
      return false;
    case "SignupTrigger":
      // Double opt-in blocks a new contact until it confirms.
      return (
        write.signsUp === true || (before?.data.optInStatus === "pending" && after.data.optInStatus === "accepted")
      );
    case "EventTrigger":
      return trigger.eventName !== null && trigger.eventName === write.eventName;
    case "ContactPropertyTrigger":
      return (
        before !== undefined &&
        trigger.contactPropertyQuery !== null &&
        isPropertyChange(trigger.contactPropertyQuery, before, after, team)
      );
    case "AddToListTrigger":
      return list !== null && isOn(after, list) && !isOn(before, list);
  }
};

/** An unconfirmed contact is on no list, as for outgoing webhooks. */
const isOn = (contact: RunContact | undefined, list: string): boolean =>
  contact !== undefined && !isUnconfirmed(contact) && contact.data.mailingLists[list] === true;

const isUnconfirmed = ({ data: { optInStatus } }: RunContact): boolean =>
  optInStatus === "pending" || optInStatus === "rejected";

/** Returns the status at `now`: a pause queues contacts for 24 hours only. */
export const statusAt = ({ status, pausedAt }: Pick<Entrance, "status" | "pausedAt">, now: number): WorkflowStatus =>
  status === "PausedAndQueueing" && now >= (pausedAt ?? 0) + QUEUEING_MS ? "Paused" : status;

/**
 * Returns why a triggered contact does not enter. Only a run counts as entry, so a blocked contact may enter later.
 *
 * @param history called only if needed
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
  const { trigger } = workflow;
  const { total, active } = history();
  if (total > 0 && !("reEligible" in trigger && trigger.reEligible)) return "entered_before";
  return active >= MAX_ACTIVE ? "too_many_active" : undefined;
};
