import { env } from "cloudflare:workers";

type MailStep = "claimed" | "noted" | "answered" | "settled";

type CampaignStep = "snapshot" | "recipients" | "cancel" | "retry";

export type Step = MailStep | CampaignStep;

/** Reports a step of the Worker. The test answers, or kills the process. */
export const reach = async (step: Step): Promise<void> => {
  await fetch(`${(env as { STEPS_URL: string }).STEPS_URL}/${step}`);
};
