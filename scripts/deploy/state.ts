import type { Workers } from "./config.ts";
import type { Io } from "./io.ts";
import type { Hidden } from "./secrets.ts";

/** The state that steps share. Each step reads the results of earlier steps and adds its own. */
export type State = {
  io: Io;
  hidden: Hidden;
  /** Prints a secret, the only time it is ever shown. */
  showOnce: (label: string, secret: string) => void;
  /** `--yes`: no person can answer or read secrets. */
  unattended: boolean;
  workers: Workers;
  /** Another host of the API, without a final `/`; undefined: the email Worker. */
  host: string | undefined;
  /** False with `--no-bridge`: the email Worker and the dashboard only. */
  hasBridge: boolean;
  contactProperties: string;
  /** Environment variables for wrangler: the account. */
  env: Record<string, string>;
  /** Names of the secrets of the email Worker before this run. */
  emailHas: ReadonlySet<string>;
  /** The bridge before this run: names of its secrets, and its variables (undefined if unknown). */
  bridge: { secrets: ReadonlySet<string>; vars: Record<string, unknown> | undefined };
  /** Secrets to set with the deployment of each Worker. */
  emailSecrets: Record<string, string>;
  bridgeSecrets: Record<string, string>;
  /** ADMIN_TOKEN of the email Worker; empty if the person does not enter it. */
  adminToken: string;
  /** True if the bridge has no API key, or a key that does not work with this email Worker; and without a bridge. */
  needsKey: boolean;
  /** Slug of the team that this run created or uses; empty if it needed none. */
  team: string;
  /** Variables to set with the deployment of the email Worker. */
  emailVars: Record<string, string>;
  /** The sender of transactional mail; empty if there is none. */
  sender: string;
  /** `--wait`: wait for the DNS records of the sending domain. */
  wait: boolean;
  /** True if mail may be sent from the domain. */
  isVerified: boolean;
  /** True if the email Worker gets its bucket. */
  hasBucket: boolean;
  emailUrl: string;
  emailReasons: string[];
  templates: Record<string, string>;
};

/** A step of the deployment: its title, its reason, and its work. */
export type Step = { title: string; why: string; run: (state: State) => Promise<void> };
