/** As the API shows it. A campaign that is paused, held or cancelled shows it in its delivery. */
export type CampaignStatus = "Draft" | "Scheduled" | "Sending" | "Sent";

/** What the delivery of a launched campaign does. */
export type DeliveryState = "snapshot" | "sending" | "paused" | "held" | "cancelled" | "done";
