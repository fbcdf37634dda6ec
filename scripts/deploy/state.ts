import type { Workers } from "./config.ts";
import type { Io } from "./io.ts";
import type { Hidden } from "./secrets.ts";

export type State = {
  io: Io;
  hidden: Hidden;
  /** Prints a secret, the only time it is ever shown. */
  showOnce: (label: string, secret: string) => void;
  unattended: boolean;
  workers: Workers;
  /** Another email service, without a final `/`. */
  service: string | undefined;
  hasBridge: boolean;
  contactProperties: string;
  env: Record<string, string>;
  /** Names of its secrets before this run. */
  emailHas: ReadonlySet<string>;
  /** Secret names and variables before this run (undefined if unknown). */
  bridge: { secrets: ReadonlySet<string>; vars: Record<string, unknown> | undefined };
  emailSecrets: Record<string, string>;
  bridgeSecrets: Record<string, string>;
  /** Empty if the person does not enter it. */
  adminToken: string;
  /** True if the bridge lacks a working API key; also without a bridge. */
  needsKey: boolean;
  /** Slug; empty if no team was needed. */
  team: string;
  emailVars: Record<string, string>;
  /** Variables of the email Worker before this run; empty if unknown. */
  varsBefore: Record<string, unknown>;
  /** Plan of the option `--plan`. */
  plan: string | undefined;
  /** Empty if there is none. */
  sender: string;
  wait: boolean;
  isVerified: boolean;
  hasBucket: boolean;
  emailUrl: string;
  /** Its address before this run; empty if unknown. */
  emailBefore: string;
  emailReasons: string[];
  templates: Record<string, string>;
};

export type Step = { title: string; why: string; run: (state: State) => Promise<void> };
