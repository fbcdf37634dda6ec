import type { DeliveryConfig } from "../delivery/request.ts";

/** What the Outbox needs of its surroundings. */
export type OutboxEnv = {
  /** The email Worker beside it. */
  EMAIL?: Fetcher;
  /** Any other host of the v1 API; then EMAIL is not used. */
  EMAIL_API_URL?: string;
  EMAIL_API_KEY?: string;
  TEMPLATES?: Record<string, string>;
  LISTS?: Record<string, string>;
  CONTACT_PROPERTIES?: string;
  /** Addresses and domains (`@example.com`), separated by spaces or commas. Empty: everybody. */
  ALLOWED_RECIPIENTS?: string;
  RETENTION_DAYS?: string | number;
  MAX_JOURNAL_MB?: string | number;
};

/** Everything that is not storage, so that a simulation can bring its own. */
export type Surroundings = {
  now(): number;
  random(): number;
  sleep(ms: number): Promise<void>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** A signal that aborts after so many ms. */
  timeout(ms: number): AbortSignal;
};

/** What the Outbox needs of its object: the disk, and the one alarm. */
export type Disk = Pick<DurableObjectStorage, "sql" | "transactionSync" | "sync" | "getAlarm" | "setAlarm">;

const DAY = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;
const DEFAULT_JOURNAL_MB = 5_000;

export const surroundingsOf = (env: OutboxEnv): Surroundings => ({
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (url, init) => (env.EMAIL_API_URL || !env.EMAIL ? fetch(url, init) : env.EMAIL.fetch(url, init)),
  timeout: (ms) => AbortSignal.timeout(ms),
});

export const configOf = (env: OutboxEnv): DeliveryConfig => ({
  templates: env.TEMPLATES ?? {},
  lists: env.LISTS ?? {},
  allowed: (env.ALLOWED_RECIPIENTS ?? "")
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean),
  contactProperties: env.CONTACT_PROPERTIES === "flat" ? "flat" : "nested",
});

/** Ms the journal keeps. Less than two days would forget events that providers still send again. */
export const retentionOf = ({ RETENTION_DAYS }: OutboxEnv): number =>
  (Number(RETENTION_DAYS) >= 2 ? Number(RETENTION_DAYS) : DEFAULT_RETENTION_DAYS) * DAY;

/** Bytes of database past which the oldest bodies are purged. An object holds 10 GB. */
export const sizeOf = ({ MAX_JOURNAL_MB }: OutboxEnv): number =>
  (Number(MAX_JOURNAL_MB) > 0 ? Number(MAX_JOURNAL_MB) : DEFAULT_JOURNAL_MB) * 1_000_000;

/** Why no call can be made at all, or undefined: then the queue is held, and no clock of any call runs. */
export const whyNotSet = ({ EMAIL, EMAIL_API_URL, EMAIL_API_KEY }: OutboxEnv): string | undefined => {
  if (!EMAIL_API_KEY) return "EMAIL_API_KEY is not set: there is no key to call the email service with.";
  if (EMAIL_API_URL)
    return URL.canParse(EMAIL_API_URL) ? undefined : `EMAIL_API_URL is not an address: ${EMAIL_API_URL}`;
  return EMAIL ? undefined : "There is neither the email Worker (the binding EMAIL) nor EMAIL_API_URL.";
};

/** Ms of jitter between a start here and its arrival at the host: over HTTPS more than beside it. */
export const guardOf = (env: OutboxEnv): number => (env.EMAIL_API_URL ? 100 : 20);
