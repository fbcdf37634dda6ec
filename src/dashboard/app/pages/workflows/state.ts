import type { Status } from "./read.ts";

const STATES = { Draft: "draft", Sending: "sending", Paused: "paused", PausedAndQueueing: "paused, queueing" } as const;

/** What a workflow does, in words. */
export const stateOf = (status: Status["status"]): string => STATES[status];
