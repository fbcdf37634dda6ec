import { senderNamed } from "../../../src/email/delivery/senders/sender-list.ts";
import { emailFor, eventsQueueOf } from "../config.ts";
import { waitForHealth } from "../health.ts";
import { DeployError } from "../io.ts";
import type { State, Step } from "../state.ts";
import { withFolder } from "../temporary.ts";
import { createQueue, deployWorker } from "../wrangler.ts";
import { askAddress } from "./address.ts";
import { pauseCampaigns } from "./pause-campaigns.ts";

/** The reason in `/health`. */
const NO_PUBLIC_URL = "PUBLIC_URL is not set";

/** A new Worker is deployed twice, because its address is known only afterwards. */
export const emailWorker: Step = {
  title: "Email Worker",
  why: "The email service keeps contacts and templates and sends email. The other Workers call it, so it comes first.",
  async run(state) {
    const { io, workers, emailSecrets, emailVars } = state;
    if (usesEmailService(state)) await eventsQueue(state);
    const resume = state.emailBefore === "" ? undefined : await pauseCampaigns(state, state.emailBefore);
    io.print(`Deploying ${workers.email.name} …`);
    const named = await deployEmail(state, emailSecrets, emailVars).finally(() => resume?.());
    const text = `wrangler named no address of ${workers.email.name}. What is its address?`;
    state.emailUrl = await askAddress(io, named, { variable: "EMAIL_URL", text });
    const { status, reasons } = await waitForHealth(io, state.emailUrl);
    const withoutUrl = reasons.filter((reason) => !reason.startsWith(NO_PUBLIC_URL));
    if (withoutUrl.length < reasons.length) await setPublicUrl(state);
    state.emailReasons = withoutUrl;
    io.print(`${state.emailUrl} answers: ${[status, ...withoutUrl].join("; ")}.`);
  },
};

const usesEmailService = ({ sender }: Pick<State, "sender">): boolean => senderNamed(sender)?.binding !== undefined;

const EVENTS = ["delivered", "deferred", "bounced", "failed", "rejected", "complained"].map((one) => `message.${one}`);

/** Bounces and complaints of Cloudflare Email Service come through a queue, which a person subscribes to each domain. */
const eventsQueue = async ({ io, workers, env }: State): Promise<void> => {
  const queue = eventsQueueOf(workers.email);
  const result = await createQueue(io.run, queue, env);
  if (typeof result === "object")
    throw new DeployError(
      `The queue ${queue} could not be created:\n${result.error}`,
      "Fix the error and run this again (an API token needs the permission Queues: Edit). Without the queue no bounce is heard.",
    );
  io.print(
    `${result === "created" ? `Created the queue ${queue}` : `The queue ${queue} exists and is used`}, for bounces and complaints. Subscribe it once to each sending domain:
  npx wrangler queues subscription create ${queue} --source email.sending --events ${EVENTS.join(",")} --zone-id <zone id> --domain <sending domain>`,
  );
};

/** Later deployments keep the variable: `keep_vars` in wrangler.toml. */
const setPublicUrl = async (state: State): Promise<void> => {
  const { io, workers, emailUrl } = state;
  io.print(`Deploying ${workers.email.name} with its address, PUBLIC_URL=${emailUrl} …`);
  await deployEmail(state, {}, { PUBLIC_URL: emailUrl });
};

const deployEmail = (
  { io, workers, env, hasBucket, sender }: State,
  secrets: Record<string, string>,
  vars: Record<string, string> = {},
): Promise<string | undefined> =>
  withFolder((folder) => {
    const email = emailFor(workers.email, { hasBucket, hasEmailService: usesEmailService({ sender }) }, folder);
    return deployWorker(io.run, email, secrets, env, vars);
  });
