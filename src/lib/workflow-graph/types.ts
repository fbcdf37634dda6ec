import type { AudienceFilter } from "../contract/audience/filter.ts";
import type { Refusal } from "../contract/errors.ts";

export type TimerUnit = "m" | "h" | "d";

/** `value`: "" if unused; "from/to" for `between`, in ISO 8601 UTC. */
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

/** Fires when an update changes `key` from a `was` match to an `is` match. */
export type PropertyQuery = { readonly key: string; readonly is: Comparison; readonly was: Comparison };

export type NodeFields = {
  /** Starts no run. */
  BlankTrigger: object;
  SignupTrigger: object;
  EventTrigger: { readonly eventName: string | null; readonly reEligible: boolean };
  ContactPropertyTrigger: { readonly contactPropertyQuery: PropertyQuery | null; readonly reEligible: boolean };
  AddToListTrigger: { readonly reEligible: boolean };
  /** Null matches everyone. */
  AudienceFilter: {
    readonly audienceFilter: AudienceFilter | null;
    readonly audienceSegmentId: string | null;
    readonly appliesDownstream: boolean;
  };
  TimerAction: { readonly amount: number; readonly unit: TimerUnit };
  SendEmailAction: { readonly emailMessageId: string };
  ExitAction: object;
  BranchNode: object;
  /** samplingRate: percent of contacts that get a variant, 0-100. */
  ExperimentBranchNode: { readonly samplingRate: number };
  VariantNode: { readonly isControl: boolean };
};

export type NodeType = keyof NodeFields;

/** `k`: number unique in the workflow, never reused. `nextNodeIds`: edges, left to right. */
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

export type CreatedType =
  | "AudienceFilter"
  | "BranchNode"
  | "ExperimentBranchNode"
  | "TimerAction"
  | "SendEmailAction"
  | "VariantNode";

/** Nodes by id. `root`: the trigger. `exit`: the only ExitAction. `lastK`: largest `k` ever used. */
export type Graph = {
  readonly root: string;
  readonly exit: string;
  readonly lastK: number;
  readonly nodes: Readonly<Record<string, WorkflowNode>>;
};

export type WorkflowStatus = "Draft" | "Sending" | "Paused" | "PausedAndQueueing";

/** Edited graph, or why the edit is refused. */
export type Edit<More = object> = ({ graph: Graph } & More) | { refusal: Refusal };

export type NewId = (prefix: string) => string;
