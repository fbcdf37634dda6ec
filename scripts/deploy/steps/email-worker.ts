import { waitForHealth } from "../health.ts";
import type { State, Step } from "../state.ts";
import { deployWorker } from "../wrangler.ts";
import { askAddress } from "./address.ts";

/** The reason in `/health` of a Worker that does not know its own address. */
const NO_PUBLIC_URL = "PUBLIC_URL is not set";

/** Deploys the email Worker with its secrets. Its address is known after that, so a new Worker is deployed once more with it. */
export const emailWorker: Step = {
  title: "Email Worker",
  why: "The email service keeps contacts and templates and sends email. The bridge calls it, so it comes first.",
  async run(state) {
    const { io, workers, env, emailSecrets } = state;
    io.print(`Deploying ${workers.email.name} …`);
    const named = await deployWorker(io.run, workers.email, emailSecrets, env);
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
const setPublicUrl = async ({ io, workers, env, emailUrl }: State): Promise<void> => {
  io.print(`Deploying ${workers.email.name} with its address, PUBLIC_URL=${emailUrl} …`);
  await deployWorker(io.run, workers.email, {}, env, { PUBLIC_URL: emailUrl });
};
