import { waitForHealth } from "../health.ts";
import type { Step } from "../state.ts";
import { deployWorker } from "../wrangler.ts";
import { askAddress } from "./address.ts";

/** Deploys the email Worker with its secrets. */
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
    state.emailReasons = reasons;
    io.print(`${state.emailUrl} answers: ${[status, ...reasons].join("; ")}.`);
  },
};
