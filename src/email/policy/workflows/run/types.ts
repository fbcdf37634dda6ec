import type { AudienceCondition } from "../../../../lib/contract/audience/filter.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import type { ContactFacts, Facts } from "../../segments/facts.ts";

/** What a step reads of a contact. `id`: the variant of an experiment depends on it. `mailingLists`: the lists that it is on. */
export type RunContact = ContactFacts & {
  id: string;
  data: ContactFacts["data"] & { mailingLists: Readonly<Record<string, boolean>> };
};

/** Everything about the contact that a step depends on. */
export type RunFacts = Pick<Facts, "hasActivity"> & { contact: RunContact };

/** Why a filter did not match: the first condition that was not met, and the value of its property. */
export type Mismatch = { filter: number; condition?: AudienceCondition; saw?: string | number | boolean | null };

/**
 * A node that a run went through: its `k`, and when, in Unix ms. Where the run ended: the filters that did not match, by their `k`.
 */
export type Visit = readonly [k: number, at: number, mismatches?: readonly Mismatch[]];

/** The position of a run. `node`: k of the node where it rests since `since` (Unix ms). */
export type Run = { node: number; since: number; path: readonly Visit[] };

/** Why a run has ended. */
export type End =
  | "completed"
  | "filtered"
  | "filter_stopped"
  | "no_branch"
  | "not_sampled"
  | "unsubscribed"
  | "not_confirmed"
  | "left_list"
  | "list_changed"
  | "node_deleted"
  | "removed"
  | "merged"
  | "fault";

/** A mail that a step queues. `message`: id of its email message. `node`: k of the node that sends it. */
export type QueuedMail = { message: string; node: number };

/** What a step does: the nodes it went through, the mails to queue, and where the run is then. Times are Unix ms. */
export type Step = {
  visits: Visit[];
  mails: QueuedMail[];
  position: { node: number; since: number; wake: number } | { node: number; ended: End };
};

/** Whether a contact meets the filter and the segment of a node. */
type Judge = (facts: RunFacts, now: number) => boolean;

/** A workflow that is ready for many steps. `list`: id of its mailing list. */
export type Flow = {
  graph: Graph;
  list: string | null;
  /** Id of the node with this k; undefined for a node that was deleted. */
  idOf(k: number): string | undefined;
  /** For an AudienceFilter, by its id. */
  matches(id: string, ...of: Parameters<Judge>): boolean;
  /** Why the contact does not match an AudienceFilter. */
  mismatchOf(id: string, ...of: Parameters<Judge>): Mismatch;
};
