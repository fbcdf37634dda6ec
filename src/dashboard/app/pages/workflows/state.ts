import type { Status } from "./read.ts";

const STATES = { Draft: "draft", Sending: "sending", Paused: "paused", PausedAndQueueing: "paused, queueing" } as const;

/** What a workflow does, in words. */
export const stateOf = (status: Status["status"]): string => STATES[status];

export type WorkflowAct = "start" | "resume" | "pause" | "stop";

const ACTS: Readonly<Record<Status["status"], readonly WorkflowAct[]>> = {
  Draft: ["start"],
  Sending: ["pause", "stop"],
  Paused: ["resume"],
  PausedAndQueueing: ["resume", "stop"],
};

/** The acts that would change something. */
export const actsFor = (status: Status["status"]): readonly WorkflowAct[] => ACTS[status];
