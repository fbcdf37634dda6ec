import type { Status } from "./types.ts";

const STATES = { Draft: "draft", Sending: "live", Paused: "paused", PausedAndQueueing: "paused, queueing" } as const;

export const stateOf = (status: Status["status"]): string => STATES[status];

export type WorkflowAct = "start" | "resume" | "pause" | "stop";

type State = Status["status"];

/** The act that a workflow in this state waits for. */
export const mainActFor = (status: State): Exclude<WorkflowAct, "stop"> =>
  status === "Draft" ? "start" : status === "Sending" ? "pause" : "resume";

/** True if people enter or are queued. */
export const canStop = (status: State): boolean => status === "Sending" || status === "PausedAndQueueing";

/** Poll interval in ms, shorter while people move. */
export const pollOf = (status: Pick<Status, "status" | "sweeping"> | undefined): number =>
  status?.status === "Sending" || status?.sweeping ? 2_000 : 15_000;
