import { senderNamed } from "../../../src/email/delivery/senders/sender-list.ts";
import { emailFor } from "../config.ts";
import { waitForHealth } from "../health.ts";
import type { State, Step } from "../state.ts";
import { withFolder } from "../temporary.ts";
import { deployWorker } from "../wrangler.ts";
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
    const email = emailFor(
      workers.email,
      { hasBucket, hasEmailService: senderNamed(sender)?.binding !== undefined },
      folder,
    );
    return deployWorker(io.run, email, secrets, env, vars);
  });
