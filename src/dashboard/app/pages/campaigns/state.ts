import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

export type Listed = Response<AdminContract["campaigns"]["list"]>["data"][number];
export type Status = Response<AdminContract["campaigns"]["status"]>;
export type Delivery = NonNullable<Status["delivery"]>;
export type Retry = NonNullable<Status["retry"]>;

type Stated = Pick<Listed, "status" | "delivery"> & Partial<Pick<Listed, "scheduledFor">>;

/** What a campaign does, in one word. The API calls one that is paused, held or being collected "Sending", and a cancelled one "Sent". */
export const stateOf = ({ status, delivery }: Stated): string => {
  const state = delivery?.state;
  if (state === "paused" || state === "held" || state === "cancelled") return state;
  return state === "snapshot" ? "collecting" : status.toLowerCase();
};

/** A cancelled campaign is "Sent" before all of its recipients are counted as cancelled. */
export const isOver = ({ status, delivery }: Stated): boolean => status === "Sent" && Boolean(delivery?.finishedAt);

/** True while the service looks at unknown mails that a person had sent again. */
export const isLooking = ({ done, stopped }: Pick<Retry, "done" | "stopped">): boolean => !done && !stopped;

/** Before its start, a launch can be undone for so long, in ms: at most the delay of a launch. */
const UNDO_MS = 300_000;

/** Whole seconds until a scheduled campaign begins that begins soon; undefined for every other one. `now`: Unix ms. */
export const secondsToStart = ({ status, scheduledFor = null }: Stated, now: number): number | undefined => {
  if (status !== "Scheduled" || scheduledFor === null) return undefined;
  const left = Date.parse(scheduledFor) - now;
  return left > UNDO_MS ? undefined : Math.max(0, Math.ceil(left / 1_000));
};

/**
 * How often a campaign is asked for, in ms: soon while it begins or is sending, or its unknown mails are looked at, later before that, never when
 * it is over. `now`: Unix ms.
 */
export const pollOf = (campaign: (Stated & { retry?: Retry | null }) | undefined, now: number): number | false => {
  if (campaign === undefined) return false;
  if (campaign.retry && isLooking(campaign.retry)) return 2_000;
  if (isOver(campaign)) return false;
  return campaign.delivery === null && secondsToStart(campaign, now) === undefined ? 15_000 : 2_000;
};

export type CampaignAct = "unschedule" | "pause" | "resume" | "cancel" | "retryUnknown";

/** The acts that the email service would not refuse, and that would change something. */
export const actsFor = (campaign: Stated): CampaignAct[] => {
  const { status, delivery } = campaign;
  if (status === "Draft") return [];
  if (status === "Scheduled") return ["unschedule", "cancel"];
  const state = stateOf(campaign);
  const retry: CampaignAct[] = (delivery?.unknown ?? 0) > 0 && state !== "cancelled" ? ["retryUnknown"] : [];
  if (status === "Sent") return retry;
  if (state !== "paused" && state !== "held") return ["pause", "cancel", ...retry];
  return ["resume", ...(hasBegun(delivery) ? [] : (["unschedule"] as const)), "cancel", ...retry];
};

/** False for a campaign that is held at its start: nothing of it is sent. */
const hasBegun = (delivery: Delivery | null): boolean =>
  delivery !== null && delivery.startedAt !== null && delivery.reason !== "more_recipients";

/** True for a campaign that was cancelled before any mail of it was sent. */
export const isCancelledBefore = (campaign: Stated): boolean =>
  stateOf(campaign) === "cancelled" && campaign.delivery?.startedAt === null;

/** Why a campaign has no recipient to show. */
export const noRecipientText = (campaign: Stated): { title: string; text: string } => {
  if (stateOf(campaign) === "cancelled")
    return { title: "No recipient", text: "It was cancelled before any recipient was collected. Nobody gets it." };
  if (campaign.status === "Sent")
    return { title: "No recipient", text: "No contact was in its audience when it began to send." };
  return { title: "No recipient yet", text: "They are collected when the campaign begins to send." };
};
