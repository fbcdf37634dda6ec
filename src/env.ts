import { type OutboxEnv, variableOf } from "./outbox/model/config.ts";
import type { OutboxRpc } from "./outbox/rpc.ts";

/** Bindings, variables and secrets of the bridge. The secret of each source stands under the name that the source gives. */
export type Env = OutboxEnv & {
  OUTBOX: { getByName(name: string): OutboxRpc };
  ADMIN_TOKEN?: string;
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

/**
 * The secrets in one variable; each of them is accepted. Spaces or `|` separate secrets that a provider makes. A secret
 * that people choose (`free`) may contain spaces, so several of those are written as a JSON list.
 */
export const secretsIn = (value: string, free: boolean): string[] => {
  const text = value.trim();
  if (text.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.filter((item): item is string => typeof item === "string" && item !== "");
    } catch {
      // Not a JSON list: one secret that begins with a bracket.
    }
  }
  return (free ? [text] : text.split(/[\s|]+/)).filter(Boolean);
};
