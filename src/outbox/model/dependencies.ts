import type { OutboxEnv } from "./config.ts";
import type { FetchedWebhook, PlannedWebhook } from "./journal-types.ts";
import type { Observation } from "./observation.ts";
import type { SourceSettings } from "./source-settings.ts";

export type Disk = Pick<DurableObjectStorage, "sql" | "transactionSync" | "sync" | "getAlarm" | "setAlarm">;

export type Runtime = {
  /** Unix ms. */
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Sends a request to the email service. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  timeout(ms: number): AbortSignal;
};

export type Dependencies = Runtime & {
  disk: Disk;
  env: OutboxEnv;
  sources: Readonly<Record<string, SourceSettings>>;
  /** Sends a request to a provider API or the alert webhook. */
  fetchExternal(url: string, init: RequestInit): Promise<Response>;
  /** Runs the rules on an event that was fetched; undefined if the source is gone. */
  plan(fetched: FetchedWebhook): Promise<PlannedWebhook | undefined>;
  waitUntil(work: Promise<void>): void;
};

export type EngineContext = Dependencies & {
  observe(observation: Observation): void;
  /** Sets the alarm (Unix ms), unless an earlier one is set. */
  arm(at: number): void;
};

export const runtimeOf = (env: OutboxEnv): Runtime => ({
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (url, init) => (env.EMAIL_API_URL || !env.EMAIL ? fetch(url, init) : env.EMAIL.fetch(url, init)),
  timeout: (ms) => AbortSignal.timeout(ms),
});
