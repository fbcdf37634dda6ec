import type { CampaignStatus, ProgressState } from "./types.ts";

const ALWAYS: readonly string[] = ["name", "campaignGroupId"];

/** Returns the first changed field that the status locks. */
export const lockedField = (status: CampaignStatus, changes: Readonly<Record<string, unknown>>): string | undefined =>
  status === "Draft"
    ? undefined
    : Object.keys(changes).find((field) => changes[field] !== undefined && !ALWAYS.includes(field));

/** Returns why content and audience are locked; undefined for a draft. */
export const lockOf = (status: CampaignStatus, state: ProgressState | null): string | undefined => {
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
