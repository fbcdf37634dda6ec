import type { Refusal } from "../../../lib/contract/errors.ts";
import type { CampaignStatus, ProgressState } from "./types.ts";

export type Action = "unschedule" | "pause" | "resume" | "cancel" | "retryUnknown";

/** `moving`: sending, or collecting recipients. `notBegun`: held since its start, nothing sent. */
type Stage = "draft" | "scheduled" | "notBegun" | "moving" | "paused" | "held" | "cancelled" | "done";

/** `nothing`: already done. */
type Verdict = "changes" | "nothing" | Pick<Refusal, "code" | "message">;

/** `maxContact` is null before the start; `reason` is of a hold. */
type Progress = {
  status: CampaignStatus;
  state: ProgressState | null;
  reason: string | null;
  maxContact: number | null;
};

const stageOf = ({ status, state, reason, maxContact }: Progress): Stage => {
  if (status === "Draft") return "draft";
  if (status === "Scheduled") return "scheduled";
  if (state === "held") return maxContact === null || reason === "more_recipients" ? "notBegun" : "held";
  if (state === "paused") return "paused";
  if (status === "Sending") return "moving";
  return state === "cancelled" ? "cancelled" : "done";
};

const TABLE: Readonly<Record<Action, { changes: readonly Stage[]; nothing: readonly Stage[]; code: Refusal["code"] }>> =
  {
    unschedule: { changes: ["scheduled", "notBegun"], nothing: ["draft"], code: "campaign_not_scheduled" },
    pause: { changes: ["moving"], nothing: ["paused", "held", "notBegun"], code: "campaign_not_sending" },
    resume: { changes: ["paused", "held", "notBegun"], nothing: ["moving"], code: "campaign_not_paused" },
    cancel: {
      changes: ["scheduled", "notBegun", "moving", "paused", "held"],
      nothing: ["cancelled"],
      code: "campaign_not_sending",
    },
    retryUnknown: {
      changes: ["moving", "paused", "held", "notBegun", "done"],
      nothing: [],
      code: "campaign_not_sent",
    },
  };

const WORDS: Readonly<Record<Stage, string>> = {
  draft: "The campaign is a draft: nothing of it is sent. Send or schedule it first",
  scheduled: "The campaign is scheduled, and nothing of it is sent yet. Unschedule it, cancel it, or wait for its time",
  notBegun: "The campaign is held, and nothing of it is sent yet. Resume it, unschedule it to change it, or cancel it",
  moving: "The campaign is sending. Pause it, or cancel it",
  paused: "The campaign is sending, and paused. Resume it, or cancel it",
  held: "The campaign is sending, and held. Resume it, or cancel it",
  cancelled:
    "The campaign was cancelled, and nothing more of it is sent. Create another one for the rest of its recipients",
  done: "The campaign has been sent. Create another one to send more",
};

export const verdictOf = (action: Action, progress: Progress): Verdict => {
  const { changes, nothing, code } = TABLE[action];
  const stage = stageOf(progress);
  if (changes.includes(stage)) return "changes";
  if (nothing.includes(stage)) return "nothing";
  const isOver = action === "retryUnknown" && stage === "cancelled";
  return { code: isOver ? "campaign_cancelled" : code, message: `${WORDS[stage]}.` };
};
