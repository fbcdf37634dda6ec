import type { DeliveryConfig } from "./deliver.ts";

/** What the Outbox needs of its surroundings. */
export type OutboxEnv = {
  /** The email Worker beside it. */
  EMAIL?: Fetcher;
  /** Any other host of the v1 API; then EMAIL is not used. */
  EMAIL_API_URL?: string;
  EMAIL_API_KEY?: string;
  TEMPLATES?: Record<string, string>;
  CONTACT_PROPERTIES?: string;
  RETENTION_DAYS?: string | number;
};

/** Everything that is not storage, so that a simulation can bring its own. */
export type Surroundings = {
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  fetch(request: Request): Promise<Response>;
};

const DAY = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;

export const surroundingsOf = (env: OutboxEnv): Surroundings => ({
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (request) => (env.EMAIL_API_URL || !env.EMAIL ? fetch(request) : env.EMAIL.fetch(request)),
});

export const configOf = (env: OutboxEnv): DeliveryConfig => ({
  templates: env.TEMPLATES ?? {},
  contactProperties: env.CONTACT_PROPERTIES === "flat" ? "flat" : "nested",
});

export const retentionOf = (env: OutboxEnv): number => (Number(env.RETENTION_DAYS) || DEFAULT_RETENTION_DAYS) * DAY;

/** Ms of jitter between a start here and its arrival at the host: over HTTPS more than beside it. */
export const guardOf = (env: OutboxEnv): number => (env.EMAIL_API_URL ? 100 : 20);
