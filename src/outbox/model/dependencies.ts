import type { OutboxEnv } from "./config.ts";
import type { Observation } from "./observation.ts";
import type { SourceSettings } from "./source-settings.ts";

/** The parts of a Durable Object's storage that the Outbox uses: SQL, transactions, and the one alarm. */
export type Disk = Pick<DurableObjectStorage, "sql" | "transactionSync" | "sync" | "getAlarm" | "setAlarm">;

/** Clock, randomness, timers and the way to the host. A simulation brings its own. */
export type Runtime = {
  /** Unix ms. */
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Sends a request to the host: the email Worker beside the bridge, or another host of the v1 API. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** A signal that aborts after this many ms. */
  timeout(ms: number): AbortSignal;
};

/** Everything the Outbox takes from outside, in one object. */
export type Dependencies = Runtime & {
  disk: Disk;
  env: OutboxEnv;
  /** Settings of each source, by its name. */
  sources: Readonly<Record<string, SourceSettings>>;
  /** Sends a request to any address: provider APIs and the alert webhook. */
  fetchExternal(url: string, init: RequestInit): Promise<Response>;
  /** Keeps the object awake until the work is done. */
  waitUntil(work: Promise<void>): void;
};

/** What the engine passes to its parts: the dependencies, its observers and its alarm. */
export type EngineContext = Dependencies & {
  /** Reports an observation to every observer. */
  observe(observation: Observation): void;
  /** Sets the alarm for this time (Unix ms), unless an earlier one is set. */
  arm(at: number): void;
};

/** The real clock, timers and host. */
export const runtimeOf = (env: OutboxEnv): Runtime => ({
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (url, init) => (env.EMAIL_API_URL || !env.EMAIL ? fetch(url, init) : env.EMAIL.fetch(url, init)),
  timeout: (ms) => AbortSignal.timeout(ms),
});
