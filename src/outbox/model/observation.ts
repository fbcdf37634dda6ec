import type { Interruption } from "./interruption.ts";
import type { Delivery, Lane } from "./journal-types.ts";
import type { Outcome } from "./outcome.ts";

/** A verified webhook. `deliveries` is empty for a duplicate; skipped deliveries are already settled. */
export type Arrival = {
  seq: number;
  source: string;
  type: string;
  lane?: Lane;
  duplicate: boolean;
  deliveries: readonly Delivery[];
  /** A thin webhook got its data: it was told before. */
  completes?: true;
};

/** Reports for logs, metrics, alerts and fetch-back. */
export type Observation =
  /** The webhooks of one commit. */
  | { kind: "webhooks"; webhooks: readonly Arrival[] }
  /** The first attempt starts, `waited` ms after acceptance or after a repeat was due. */
  | { kind: "start"; lane: Lane; waited: number }
  | { kind: "delivery"; seq: number; index: number; source: string; delivery: Delivery }
  /** `foreign`: the response came from something in front of the email service. */
  | { kind: "attempt"; action: string; outcome: Outcome["kind"]; foreign?: true; ms: number }
  | { kind: "interruption"; interruption: Interruption | undefined }
  /** The database exceeded its bound (bytes). `deleted`: webhooks; `deletedTo`: newest acceptance, Unix ms. */
  | { kind: "size"; size: number; bound: number; deleted: number; deletedTo: number };
