import { UsageError } from "../lib/cli.ts";
import { varsOf, type Workers } from "./config.ts";
import { DeployError, type Io } from "./io.ts";
import { createHidden, hiding } from "./secrets.ts";
import type { State, Step } from "./state.ts";
import { account } from "./steps/account.ts";
import { addressOf } from "./steps/address.ts";
import { bridge } from "./steps/bridge.ts";
import { bucket } from "./steps/bucket.ts";
import { dashboard } from "./steps/dashboard.ts";
import { domain } from "./steps/domain.ts";
import { emailWorker } from "./steps/email-worker.ts";
import { plan } from "./steps/plan.ts";
import { samples } from "./steps/samples.ts";
import { secrets } from "./steps/secrets.ts";
import { sender } from "./steps/sender.ts";
import { service } from "./steps/service.ts";
import { webhookSecrets } from "./steps/sources.ts";
import { team } from "./steps/team.ts";
import { trialMail } from "./steps/trial-mail.ts";

type Options = {
  /** The `--service` option. */
  service?: string;
  /** False with `--no-bridge`. */
  hasBridge?: boolean;
  /** No person can answer or read secrets. */
  unattended: boolean;
  wait?: boolean;
  /** The `--plan` option. */
  plan?: string;
};

/** A deployment is repeatable. Returns true if every step succeeded. */
export const deploy = async (io: Io, workers: Workers, options: Options): Promise<boolean> => {
  const state = stateOf(io, workers, options);
  const { print } = state.io;
  const steps = stepsFor(state);
  for (const [index, step] of steps.entries()) {
    const position = `Step ${index + 1} of ${steps.length}`;
    print(`\n${position}: ${step.title}\n${step.why}`);
    try {
      await step.run(state);
    } catch (error) {
      print(`\n${position} (${step.title}) failed.\n${error instanceof Error ? error.message : String(error)}`);
      print(
        `\nHow to continue: ${error instanceof DeployError ? error.next : "run this again: everything deployed so far is kept."}`,
      );
      return false;
    }
  }
  print("\nDone.");
  return true;
};

export const stepsFor = ({ service: other, hasBridge }: Pick<State, "service" | "hasBridge">): readonly Step[] => {
  if (!hasBridge)
    return [account, secrets, bucket, plan, sender, emailWorker, team, samples, dashboard, domain, trialMail];
  return other === undefined
    ? [
        account,
        secrets,
        bucket,
        plan,
        sender,
        emailWorker,
        team,
        samples,
        webhookSecrets,
        bridge,
        dashboard,
        domain,
        trialMail,
      ]
    : [account, secrets, service, webhookSecrets, bridge, dashboard];
};

/** Throws unless the address is https. */
export const serviceOf = (workers: Workers, given: string | undefined): string | undefined => {
  const text = given ?? varsOf(workers.bridge).EMAIL_API_URL;
  if (given === undefined && (typeof text !== "string" || text === "")) return undefined;
  const address = addressOf(String(text));
  if (address) return address;
  const expected = "expected an address like https://api.example.com.";
  throw given === undefined
    ? new Error(`EMAIL_API_URL ${text}: ${expected}`)
    : new UsageError(`--service ${text}: ${expected}`);
};

export const stateOf = (io: Io, workers: Workers, options: Options): State => {
  const hidden = createHidden();
  const configured = varsOf(workers.bridge).CONTACT_PROPERTIES;
  const { hasBridge = true } = options;
  return {
    io: hiding(io, hidden),
    hidden,
    showOnce: (label, secret) =>
      io.print(`\n  ${label}: ${secret}\n  Put it in a password manager now: it is not shown again.\n`),
    unattended: options.unattended,
    workers,
    service: hasBridge ? serviceOf(workers, options.service) : undefined,
    hasBridge,
    // The option --service is for the published hosted service, which accepts flat properties. wrangler.toml may differ.
    contactProperties: options.service === undefined && typeof configured === "string" ? configured : "flat",
    env: {},
    emailHas: new Set(),
    bridge: { secrets: new Set(), vars: undefined },
    emailSecrets: {},
    bridgeSecrets: {},
    adminToken: "",
    needsKey: false,
    team: "",
    hasBucket: false,
    emailVars: {},
    varsBefore: {},
    plan: options.plan,
    sender: "",
    wait: options.wait ?? false,
    isVerified: false,
    emailUrl: "",
    emailBefore: "",
    emailReasons: [],
    templates: {},
  };
};
