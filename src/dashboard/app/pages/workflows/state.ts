import type { Status } from "./types.ts";

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

/** How often a workflow is read, in ms: soon while contacts move, or an edit is still being made for them. */
export const pollOf = (status: Pick<Status, "status" | "sweeping"> | undefined): number =>
  status?.status === "Sending" || status?.sweeping ? 2_000 : 15_000;
