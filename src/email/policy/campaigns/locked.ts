import type { CampaignStatus, DeliveryState } from "./types.ts";

/** Fields that can change whatever the status of a campaign is. */
const ALWAYS: readonly string[] = ["name", "campaignGroupId"];

/** The first field of a change that this status locks; undefined when there is none. */
export const lockedField = (status: CampaignStatus, changes: Readonly<Record<string, unknown>>): string | undefined =>
  status === "Draft"
    ? undefined
    : Object.keys(changes).find((field) => changes[field] !== undefined && !ALWAYS.includes(field));

/** Why the content and the audience of a campaign cannot change, and what to do; undefined for a draft. */
export const lockOf = (status: CampaignStatus, state: DeliveryState | null): string | undefined => {
  switch (status) {
    case "Draft":
      return undefined;
    case "Scheduled":
      return "is scheduled. Unschedule it first";
    case "Sending":
      return "is sending. Only its name and group can change. If it is held and nothing of it is sent, unschedule it first";
    case "Sent":
      return `${state === "cancelled" ? "was cancelled" : "has been sent"}. Only its name and group can change`;
  }
};
