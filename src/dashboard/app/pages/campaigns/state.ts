import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

export type Listed = Response<AdminContract["campaigns"]["list"]>["data"][number];
export type Status = Response<AdminContract["campaigns"]["status"]>;
export type Progress = NonNullable<Status["progress"]>;
export type Retry = NonNullable<Status["retry"]>;

type Stated = Pick<Listed, "status" | "progress"> & Partial<Pick<Listed, "scheduledFor">>;

/** One word for the state. The API calls paused or held campaigns "Sending" and cancelled ones "Sent". */
export const stateOf = ({ status, progress }: Stated): string => {
  const state = progress?.state;
  if (state === "paused" || state === "held" || state === "cancelled") return state;
  return state === "snapshot" ? "collecting" : status.toLowerCase();
};

/** State of a recipient for `Status`: a skipped recipient was not sent the mail. */
export const kindOfRecipient = (state: string): string => (state === "skipped" ? "not_sent" : state);

/** A cancelled campaign is "Sent" before all recipients are counted as cancelled. */
export const isOver = ({ status, progress }: Stated): boolean => status === "Sent" && Boolean(progress?.finishedAt);

/** True while the service resends unknown mails. */
export const isLooking = ({ done, stopped }: Pick<Retry, "done" | "stopped">): boolean => !done && !stopped;

/** Milliseconds. The maximum delay of sending. */
const UNDO_MS = 300_000;

/** Whole seconds until a campaign begins, undefined unless soon. `now`: Unix ms. */
export const secondsToStart = ({ status, scheduledFor = null }: Stated, now: number): number | undefined => {
  if (status !== "Scheduled" || scheduledFor === null) return undefined;
  const left = Date.parse(scheduledFor) - now;
  return left > UNDO_MS ? undefined : Math.max(0, Math.ceil(left / 1_000));
};

/** Poll interval in ms, false when over. `now`: Unix ms. */
export const pollOf = (campaign: (Stated & { retry?: Retry | null }) | undefined, now: number): number | false => {
  if (campaign === undefined) return false;
  if (campaign.retry && isLooking(campaign.retry)) return 2_000;
  if (isOver(campaign)) return false;
  return campaign.progress === null && secondsToStart(campaign, now) === undefined ? 15_000 : 2_000;
};

export type CampaignAct = "unschedule" | "pause" | "resume" | "cancel" | "retryUnknown";

/** Actions that the email service accepts and that have an effect. */
export const actsFor = (campaign: Stated): CampaignAct[] => {
  const { status, progress } = campaign;
  if (status === "Draft") return [];
  if (status === "Scheduled") return ["unschedule", "cancel"];
  const state = stateOf(campaign);
  const retry: CampaignAct[] = (progress?.unknown ?? 0) > 0 && state !== "cancelled" ? ["retryUnknown"] : [];
  if (status === "Sent") return retry;
  if (state !== "paused" && state !== "held") return ["pause", "cancel", ...retry];
  return ["resume", ...(hasBegun(progress) ? [] : (["unschedule"] as const)), "cancel", ...retry];
};

const hasBegun = (progress: Progress | null): boolean =>
  progress !== null && progress.startedAt !== null && progress.reason !== "more_recipients";

/** True if cancelled before any mail was sent. */
export const isCancelledBefore = (campaign: Stated): boolean =>
  stateOf(campaign) === "cancelled" && campaign.progress?.startedAt === null;

/** Explains an empty recipient list. */
export const noRecipientText = (campaign: Stated): { title: string; text: string } => {
  if (stateOf(campaign) === "cancelled")
    return { title: "No recipient", text: "It was cancelled before any recipient was collected. Nobody gets it." };
  if (campaign.status === "Sent")
    return { title: "No recipient", text: "No contact was in its audience when it began to send." };
  return { title: "No recipient yet", text: "They are collected when the campaign begins to send." };
};
