import type { Pause } from "../delivery/limits/interruption.ts";
import type { Outcome } from "../delivery/outcome.ts";
import type { Disk, OutboxEnv, Surroundings } from "./config.ts";
import type { Call, Lane } from "./types.ts";

/** What intake and delivery tell of as it happens; for logs, counters and alerts. */
export type News =
  /** A webhook came; of a duplicate `calls` is empty. Calls that were skipped are settled already. */
  | {
      kind: "webhook";
      seq: number;
      source: string;
      type: string;
      lane?: Lane;
      duplicate: boolean;
      calls: readonly Call[];
    }
  /** A call leaves for the first time, so many ms after its webhook was accepted. */
  | { kind: "start"; lane: Lane; waited: number }
  | { kind: "call"; seq: number; index: number; call: Call }
  | { kind: "try"; action: string; outcome: Outcome["kind"]; ms: number }
  | { kind: "pause"; pause: Pause | undefined };

/** What intake and delivery work with. `env` and `surroundings` may be exchanged by tests. */
export type Means = {
  disk: Disk;
  env: OutboxEnv;
  surroundings: Surroundings;
  tell(news: News): void;
  /** Sees to it that `alarm` is called at that time, Unix ms, or sooner. */
  arm(at: number): void;
};
