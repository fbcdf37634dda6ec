import type { Status } from "./types.ts";

const STATES = { Draft: "draft", Sending: "sending", Paused: "paused", PausedAndQueueing: "paused, queueing" } as const;

export const stateOf = (status: Status["status"]): string => STATES[status];

export type WorkflowAct = "start" | "resume" | "pause" | "stop";

const ACTS: Readonly<Record<Status["status"], readonly WorkflowAct[]>> = {
  Draft: ["start"],
  Sending: ["pause", "stop"],
  Paused: ["resume"],
  PausedAndQueueing: ["resume", "stop"],
};

/** Actions with an effect. */
export const actsFor = (status: Status["status"]): readonly WorkflowAct[] => ACTS[status];

/** Poll interval in ms, shorter while contacts move. */
export const pollOf = (status: Pick<Status, "status" | "sweeping"> | undefined): number =>
  status?.status === "Sending" || status?.sweeping ? 2_000 : 15_000;
