import type { Interruption } from "./interruption.ts";
import type { Outcome } from "./outcome.ts";
import type { Call, Lane } from "./types.ts";

/** What intake, delivery and retention report while they work. Logs, metrics, alerts and fetch-back read it. */
export type Observation =
  /** A webhook arrived. `calls` is empty for a duplicate. Skipped calls are settled already. */
  | {
      kind: "webhook";
      seq: number;
      source: string;
      type: string;
      lane?: Lane;
      duplicate: boolean;
      calls: readonly Call[];
    }
  /** The first attempt of a call starts, `waited` ms after its webhook was accepted, or after a call that is made once more was due. */
  | { kind: "start"; lane: Lane; waited: number }
  /** A call was settled, or goes back to waiting. */
  | { kind: "call"; seq: number; index: number; source: string; call: Call }
  /** An attempt ended after `ms`. `foreign`: something in front of the host answered. */
  | { kind: "attempt"; action: string; outcome: Outcome["kind"]; foreign?: true; ms: number }
  /** Delivery was interrupted, or the interruption is over. */
  | { kind: "interruption"; interruption: Interruption | undefined }
  /**
   * The database was larger than its bound (bytes) and was purged. `deleted`: settled webhooks that were deleted whole;
   * `deletedTo`: when the newest of them was accepted, Unix ms.
   */
  | { kind: "size"; size: number; bound: number; deleted: number; deletedTo: number };
