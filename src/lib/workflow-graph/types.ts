import type { AudienceFilter } from "../contract/audience/filter.ts";
import type { Refusal } from "../contract/errors.ts";

export type TimerUnit = "m" | "h" | "d";

/**
 * One side of a contact property trigger: the value before (`was`) or after (`is`) an update. `value`: "" for an operator that
 * takes none; "from/to" for `between`, both ISO 8601 in UTC, as every date.
 */
export type Comparison = { readonly operator: ComparisonOperator; readonly value: string | number };

export type ComparisonOperator =
  | "any"
  | "empty"
  | "not_empty"
  | "equal"
  | "not_equal"
  | "contains"
  | "not_contains"
  | "greater_than"
  | "less_than"
  | "numeric_equal"
  | "numeric_not_equal"
  | "true"
  | "false"
  | "after"
  | "before"
  | "between";

/** Fires when an update changes the property `key` from a value that fits `was` to one that fits `is`. */
export type PropertyQuery = { readonly key: string; readonly is: Comparison; readonly was: Comparison };

/** What each type of node has besides its edges. */
export type NodeFields = {
  /** Starts no run. */
  BlankTrigger: object;
  SignupTrigger: object;
  EventTrigger: { readonly eventName: string | null; readonly reEligible: boolean };
  ContactPropertyTrigger: { readonly contactPropertyQuery: PropertyQuery | null; readonly reEligible: boolean };
  /** Its list is the mailing list of the workflow. */
  AddToListTrigger: { readonly reEligible: boolean };
  /** Segment and filter both have to match; null matches everyone. */
  AudienceFilter: {
    readonly audienceFilter: AudienceFilter | null;
    readonly audienceSegmentId: string | null;
    readonly appliesDownstream: boolean;
  };
  TimerAction: { readonly amount: number; readonly unit: TimerUnit };
  SendEmailAction: { readonly emailMessageId: string };
  ExitAction: object;
  BranchNode: object;
  /** samplingRate: percent of the contacts that get a variant, 0-100. */
  ExperimentBranchNode: { readonly samplingRate: number };
  VariantNode: { readonly isControl: boolean };
};

export type NodeType = keyof NodeFields;

/**
 * A node. `k`: a small number for the rows of runs, which no other node of the workflow has or will have. `nextNodeIds`: its
 * edges, left to right.
 */
export type NodeOf<Type extends NodeType> = {
  readonly [T in Type]: {
    readonly typeName: T;
    readonly k: number;
    readonly nextNodeIds: readonly string[];
  } & NodeFields[T];
}[Type];

export type WorkflowNode = NodeOf<NodeType>;

export type TriggerType =
  | "BlankTrigger"
  | "SignupTrigger"
  | "EventTrigger"
  | "ContactPropertyTrigger"
  | "AddToListTrigger";
export type Trigger = NodeOf<TriggerType>;

/** Types of nodes that a request can create. */
export type CreatedType =
  | "AudienceFilter"
  | "BranchNode"
  | "ExperimentBranchNode"
  | "TimerAction"
  | "SendEmailAction"
  | "VariantNode";

/** A workflow's nodes by id. `root`: id of the trigger; `exit`: id of the only ExitAction. `lastK`: the largest `k` ever used. */
export type Graph = {
  readonly root: string;
  readonly exit: string;
  readonly lastK: number;
  readonly nodes: Readonly<Record<string, WorkflowNode>>;
};

export type WorkflowStatus = "Draft" | "Sending" | "Paused" | "PausedAndQueueing";

/** A graph after an edit, or why the edit is refused. */
export type Edit<More = object> = ({ graph: Graph } & More) | { refusal: Refusal };

/** Makes a new id with this prefix. */
export type NewId = (prefix: string) => string;
