import type { BridgeContract } from "../../../../lib/contract/admin/bridge.ts";
import type { RequestInput, Response } from "../../../../lib/contract/operation.ts";

/** What the bridge answers, from its contract. */
type Webhooks = BridgeContract["webhooks"];
type Calls = BridgeContract["calls"];

/** A webhook in a list, and one with its body and timeline. */
export type Webhook = Response<Webhooks["search"]>["data"][number];
export type WholeWebhook = Response<Webhooks["get"]>;
/** The result of one rule. */
export type Outcome = Webhook["outcomes"][number];

/** A call as the bridge shows it, and one that a search has found, with the facts of its webhook. */
export type Call = Webhook["calls"][number];
export type FoundCall = Response<Calls["search"]>["data"][number];
export type Attempt = Call["attempts"][number];
export type Action = Call["action"];

/** Calls that need a person for the same reason. */
export type Cause = Response<Calls["causes"]>["data"][number];

/** What a replay did, or in a dry run would do. */
export type Replayed = Response<Webhooks["replay"]>;

export type WebhookSearch = RequestInput<Webhooks["search"]>;
export type CallSearch = RequestInput<Calls["search"]>;
