import { type OutboxEnv, variableOf } from "./outbox/model/config.ts";
import type { OutboxRpc } from "./outbox/rpc.ts";

/** The variable of each source's secret has the name given by the source. */
export type Env = OutboxEnv & {
  OUTBOX: { getByName(name: string): OutboxRpc };
  ADMIN_TOKEN?: string;
  /** The public address for copied URLs: `https://bridge.example.com`. */
  PUBLIC_URL?: string;
  /** The admin token of the email service, if its token or email service differs from the bridge's. */
  EMAIL_ADMIN_TOKEN?: string;
};

/** Returns the team's Outbox. The name is fixed, because the journal must survive a new API key. */
export const outboxOf = (env: Env): OutboxRpc => env.OUTBOX.getByName("main");

/** Returns a secret by name; empty if not set. */
export const secretOf = (env: Env, name: string): string => variableOf(env, name);
