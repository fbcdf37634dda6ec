import type { Interruption } from "./interruption.ts";
import type { Delivery, Lane } from "./journal-types.ts";
import type { Outcome } from "./outcome.ts";

/** Reports for logs, metrics, alerts and fetch-back. */
export type Observation =
  /** A webhook arrived. `deliveries` is empty for a duplicate; skipped deliveries are already settled. */
  | {
      kind: "webhook";
      seq: number;
      source: string;
      type: string;
      lane?: Lane;
      duplicate: boolean;
      deliveries: readonly Delivery[];
    }
  /** The first attempt starts, `waited` ms after acceptance or after a repeat was due. */
  | { kind: "start"; lane: Lane; waited: number }
  | { kind: "delivery"; seq: number; index: number; source: string; delivery: Delivery }
  /** `foreign`: the response came from something in front of the email service. */
  | { kind: "attempt"; action: string; outcome: Outcome["kind"]; foreign?: true; ms: number }
  | { kind: "interruption"; interruption: Interruption | undefined }
  /** The database exceeded its bound (bytes). `deleted`: webhooks; `deletedTo`: newest acceptance, Unix ms. */
  | { kind: "size"; size: number; bound: number; deleted: number; deletedTo: number };
