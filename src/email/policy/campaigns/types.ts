/** The API status. Paused, held or canceled appears in the progress. */
export type CampaignStatus = "Draft" | "Scheduled" | "Sending" | "Sent";

export type ProgressState = "snapshot" | "sending" | "paused" | "held" | "cancelled" | "done";
