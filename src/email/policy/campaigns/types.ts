/** The API status. Paused, held or canceled appears in the delivery. */
export type CampaignStatus = "Draft" | "Scheduled" | "Sending" | "Sent";

export type DeliveryState = "snapshot" | "sending" | "paused" | "held" | "cancelled" | "done";
