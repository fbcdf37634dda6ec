import { env } from "cloudflare:workers";

/** Steps of a mail inside the Worker. Those between `noted` and `answered` happen at the relay. */
export type Step = "claimed" | "noted" | "answered" | "settled" | "closed";

/** Says that a mail has come to a step. The test answers, or kills the process instead. */
export const reach = async (step: Step): Promise<void> => {
  await fetch(`${(env as { STEPS_URL: string }).STEPS_URL}/${step}`);
};
