import { varsOf, type Workers } from "./config.ts";
import { DeployError, type Io } from "./io.ts";
import { createHidden, hiding } from "./secrets.ts";
import type { State, Step } from "./state.ts";
import { account } from "./steps/account.ts";
import { addressOf } from "./steps/address.ts";
import { bridge } from "./steps/bridge.ts";
import { emailWorker } from "./steps/email-worker.ts";
import { host } from "./steps/host.ts";
import { secrets } from "./steps/secrets.ts";
import { webhookSecrets } from "./steps/sources.ts";
import { team } from "./steps/team.ts";

type Options = {
  /** Another host of the API, from `--host`. */
  host?: string;
  /** Nobody is at the terminal. */
  unattended: boolean;
};

/**
 * Deploys, one step after the other, and prints each. May be run again at any time.
 *
 * @returns whether every step succeeded; what failed and how to go on is printed
 */
export const deploy = async (io: Io, workers: Workers, options: Options): Promise<boolean> => {
  const state = stateOf(io, workers, options);
  const { print } = state.io;
  const steps: Step[] =
    state.host === undefined
      ? [account, secrets, emailWorker, team, webhookSecrets, bridge]
      : [account, secrets, host, webhookSecrets, bridge];
  for (const [index, step] of steps.entries()) {
    const position = `Step ${index + 1} of ${steps.length}`;
    print(`\n${position}: ${step.title}\n${step.why}`);
    try {
      await step.run(state);
    } catch (error) {
      print(`\n${position} (${step.title}) failed.\n${error instanceof Error ? error.message : String(error)}`);
      print(`\nHow to go on: ${error instanceof DeployError ? error.next : "run this again: what exists is kept."}`);
      return false;
    }
  }
  print("\nDone.");
  return true;
};

/** The other host: of `--host`, else of the bridge's wrangler.toml. Throws when it is no https address. */
export const hostOf = (workers: Workers, given: string | undefined): string | undefined => {
  const text = given ?? varsOf(workers.bridge).EMAIL_API_URL;
  if (given === undefined && (typeof text !== "string" || text === "")) return undefined;
  const address = addressOf(String(text));
  if (address) return address;
  throw new Error(
    `${given === undefined ? "EMAIL_API_URL" : "--host"} ${text}: expected an address like https://api.example.com.`,
  );
};

const stateOf = (io: Io, workers: Workers, options: Options): State => {
  const hidden = createHidden();
  const configured = varsOf(workers.bridge).CONTACT_PROPERTIES;
  return {
    io: hiding(io, hidden),
    hidden,
    showOnce: (label, secret) =>
      io.print(`\n  ${label}: ${secret}\n  Put it in a password manager now: it is not shown again.\n`),
    unattended: options.unattended,
    workers,
    host: hostOf(workers, options.host),
    // --host is for the published hosted service, which takes properties flat; wrangler.toml may know better.
    contactProperties: options.host === undefined && typeof configured === "string" ? configured : "flat",
    env: {},
    emailHas: new Set(),
    bridge: { secrets: new Set(), vars: undefined },
    emailSecrets: {},
    bridgeSecrets: {},
    adminToken: "",
    needsKey: false,
    emailUrl: "",
    emailReasons: [],
    templates: {},
  };
};
