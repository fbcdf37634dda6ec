import type { AudienceCondition } from "../../../../lib/contract/audience/filter.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import type { ContactFacts, Facts } from "../../segments/facts.ts";

/** `id`: decides the variant. `mailingLists`: subscribed lists. */
export type RunContact = ContactFacts & {
  id: string;
  data: ContactFacts["data"] & { mailingLists: Readonly<Record<string, boolean>> };
};

export type RunFacts = Pick<Facts, "hasActivity"> & { contact: RunContact };

/** First unmet condition and the value of its property. */
export type Mismatch = { filter: number; condition?: AudienceCondition; saw?: string | number | boolean | null };

/** Visited node: `k`, Unix ms, and unmatched filters (by `k`) at the end of a run. */
export type Visit = readonly [k: number, at: number, mismatches?: readonly Mismatch[]];

/** `node`: k of the resting node. `since`: Unix ms. */
export type Run = { node: number; since: number; path: readonly Visit[] };

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

/** `message`: message id. `node`: k of the sending node. */
export type QueuedMail = { message: string; node: number };

/** Times are Unix ms. */
export type Step = {
  visits: Visit[];
  mails: QueuedMail[];
  position: { node: number; since: number; wake: number } | { node: number; ended: End };
};

type Judge = (facts: RunFacts, now: number) => boolean;

/** `list`: id of its mailing list. */
export type Flow = {
  graph: Graph;
  list: string | null;
  idOf(k: number): string | undefined;
  matches(id: string, ...parameters: Parameters<Judge>): boolean;
  mismatchOf(id: string, ...parameters: Parameters<Judge>): Mismatch;
};
