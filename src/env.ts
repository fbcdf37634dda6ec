import type { OutboxEnv } from "./outbox/model/config.ts";
import type { Outbox } from "./outbox/outbox.ts";

/** Bindings, variables and secrets of the bridge. Each source's secret is here under its own name. */
export type Env = OutboxEnv & {
  OUTBOX: DurableObjectNamespace<Outbox>;
  ADMIN_TOKEN?: string;
};

/**
 * The team's Outbox. One deployment serves one team, so its name is fixed: a rotated key must not orphan the journal.
 */
export const outboxOf = (env: Env): DurableObjectStub<Outbox> => env.OUTBOX.getByName("main");

/** A secret by its name, empty when it is not set. */
export const secretOf = (env: Env, name: string): string => {
  const value = (env as unknown as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
};

/**
 * The secrets in a variable, all of which are accepted. Those that a provider makes hold no spaces, so spaces or `|`
 * separate them. One that people made up (`free`) may be a phrase, whose words must not become secrets: several are a
 * JSON list.
 */
export const secretsIn = (value: string, free: boolean): string[] => {
  const text = value.trim();
  if (text.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.filter((item): item is string => typeof item === "string" && item !== "");
    } catch {
      // Not a list: a secret that begins with a bracket.
    }
  }
  return (free ? [text] : text.split(/[\s|]+/)).filter(Boolean);
};
