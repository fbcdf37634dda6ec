import type { BridgeContract } from "../../../../lib/contract/admin/bridge.ts";
import type { RequestInput, Response } from "../../../../lib/contract/operation.ts";

type Webhooks = BridgeContract["webhooks"];
type Deliveries = BridgeContract["deliveries"];

/** A webhook in a list, and one with body and timeline. */
export type Webhook = Response<Webhooks["search"]>["data"][number];
export type WholeWebhook = Response<Webhooks["get"]>;

/** A bridge delivery, and a search result with webhook facts. */
export type Delivery = Webhook["deliveries"][number];
export type FoundDelivery = Response<Deliveries["search"]>["data"][number];
export type Attempt = Delivery["attempts"][number];
export type Action = Delivery["action"];

/** Deliveries that need a person for the same reason. */
type Entry = Response<Deliveries["causes"]>["data"][number];
/** Deliveries that need a person, of one cause. */
export type Cause = Extract<Entry, { kind: "delivery" }>;

/** Result of a replay or its dry run. */
export type Replayed = Response<Webhooks["replay"]>;

export type WebhookSearch = RequestInput<Webhooks["search"]>;
export type DeliverySearch = RequestInput<Deliveries["search"]>;
