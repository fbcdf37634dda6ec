import type { Workers } from "./config.ts";
import type { Io } from "./io.ts";
import type { Hidden } from "./secrets.ts";

/** What the steps know of each other. Each step reads what earlier ones found and adds its own. */
export type State = {
  io: Io;
  hidden: Hidden;
  /** Prints a secret, the only time it is ever shown. */
  showOnce: (label: string, secret: string) => void;
  /** `--yes`: nobody is there to read a secret. */
  unattended: boolean;
  workers: Workers;
  /** Another host of the API, without a `/` at its end; undefined: the email Worker. */
  host: string | undefined;
  contactProperties: string;
  /** For wrangler: the account. */
  env: Record<string, string>;
  /** Names of the secrets the email Worker has before this run. */
  emailHas: ReadonlySet<string>;
  /** The bridge before this run: names of its secrets, and its variables, undefined where unknown. */
  bridge: { secrets: ReadonlySet<string>; vars: Record<string, unknown> | undefined };
  /** Secrets to set with the deployment of each Worker. */
  emailSecrets: Record<string, string>;
  bridgeSecrets: Record<string, string>;
  /** Value of the email Worker's ADMIN_TOKEN; empty where the person does not give it. */
  adminToken: string;
  /** Whether the bridge needs an API key of the email Worker: it has none, or one that does not fit. */
  needsKey: boolean;
  emailUrl: string;
  emailReasons: string[];
  templates: Record<string, string>;
};

/** A step of the deployment: its title, why it is there, and what it does. */
export type Step = { title: string; why: string; run: (state: State) => Promise<void> };
