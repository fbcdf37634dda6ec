import { env } from "cloudflare:workers";

/** Steps of a mail inside the Worker. Those between `noted` and `answered` happen at the relay. */
type MailStep = "claimed" | "noted" | "answered" | "settled" | "closed";

/** Slices of a campaign, right after their commit. */
type CampaignStep = "snapshot" | "feed" | "cancel" | "retry";

export type Step = MailStep | CampaignStep;

/** Says that the Worker has come to a step. The test answers, or kills the process instead. */
export const reach = async (step: Step): Promise<void> => {
  await fetch(`${(env as { STEPS_URL: string }).STEPS_URL}/${step}`);
};
