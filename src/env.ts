import { type OutboxEnv, variableOf } from "./outbox/model/config.ts";
import type { OutboxRpc } from "./outbox/rpc.ts";

/** Bindings, variables and secrets of the bridge. The secret of each source stands under the name that the source gives. */
export type Env = OutboxEnv & {
  OUTBOX: { getByName(name: string): OutboxRpc };
  ADMIN_TOKEN?: string;
  /** The public address of this Worker, for addresses that people copy: `https://bridge.example.com`. */
  PUBLIC_URL?: string;
  /** Opens the admin API of the email service, if it has another token than the bridge, or is another host. */
  EMAIL_ADMIN_TOKEN?: string;
};

/**
 * The team's Outbox. One deployment serves one team, so the object's name is fixed. It must not depend on the API key: the
 * journal has to survive a new key.
 */
export const outboxOf = (env: Env): OutboxRpc => env.OUTBOX.getByName("main");

/** A secret by its name; empty where it is not set. */
export const secretOf = (env: Env, name: string): string => variableOf(env, name);
