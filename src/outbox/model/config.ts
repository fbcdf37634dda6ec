import { DAY_MS } from "../../lib/util/dates.ts";
import { type Recipients, recipientsOf } from "./recipients.ts";

export type OutboxEnv = {
  EMAIL?: Fetcher;
  /** Another server of the v1 API; then EMAIL is not used. */
  EMAIL_API_URL?: string;
  EMAIL_API_KEY?: string;
  TEMPLATES?: Record<string, string>;
  LISTS?: Record<string, string>;
  CONTACT_PROPERTIES?: string;
  /** Addresses and domains (`@example.com`), separated by spaces or commas. Empty: all. */
  ALLOWED_RECIPIENTS?: string;
  IGNORED_RECIPIENTS?: string;
  RETENTION_DAYS?: string | number;
  MAX_JOURNAL_MB?: string | number;
  ALERT_WEBHOOK_URL?: string;
  ALERT_WEBHOOK_SECRET?: string;
  ALERT_BACKLOG_MINUTES?: string | number;
};

const DEFAULT_RETENTION_DAYS = 30;
const DEFAULT_JOURNAL_MB = 5_000;
const LARGEST_JOURNAL_MB = 9_000;
const DEFAULT_BACKLOG_MINUTES = 15;

export type DispatchConfig = Recipients & {
  /** Template name to transactionalId. */
  templates: Readonly<Record<string, string>>;
  /** Mailing list name to id. */
  lists: Readonly<Record<string, string>>;
  /**
   * `nested`: custom properties under `properties` (the specification); `flat`: top-level keys (the published hosted
   * service).
   */
  contactProperties: "nested" | "flat";
};

export const configOf = (env: OutboxEnv): DispatchConfig => ({
  templates: env.TEMPLATES ?? {},
  lists: env.LISTS ?? {},
  ...recipientsOf(env),
  contactProperties: env.CONTACT_PROPERTIES === "flat" ? "flat" : "nested",
});

/** Milliseconds, at least two days: providers may still resend an event. */
export const retentionOf = ({ RETENTION_DAYS }: OutboxEnv): number =>
  (Number(RETENTION_DAYS) >= 2 ? Number(RETENTION_DAYS) : DEFAULT_RETENTION_DAYS) * DAY_MS;

/** Milliseconds for which providers resend a webhook (Stripe: three days). */
export const RESENT_FOR = 3 * DAY_MS;

/** Bytes. Above this, every settled webhook may be deleted; an object holds 10 GB. */
export const OBJECT_LIMIT = 9_500_000_000;

/** Database size in bytes that starts a purge, at most 9 GB. */
export const sizeOf = (env: OutboxEnv): number =>
  Math.min(Number(env.MAX_JOURNAL_MB) > 0 ? Number(env.MAX_JOURNAL_MB) : DEFAULT_JOURNAL_MB, LARGEST_JOURNAL_MB) *
  1_000_000;

const PRIVATE_HOST =
  /^((.+\.)?localhost|[\w-]+|.+\.(internal|local)|(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+)+|\[::1\])$/;

/** Returns the reason against EMAIL_API_URL. Plain http exposes keys. */
export const unsafeAddress = (url: string): string | undefined => {
  if (!URL.canParse(url)) return `EMAIL_API_URL is not an address: ${url}`;
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || (protocol === "http:" && PRIVATE_HOST.test(hostname))) return undefined;
  return `EMAIL_API_URL must be an https address, or http in a private network: ${url}`;
};

/** Returns the reason why the email service is unreachable; delivery is then blocked. */
export const whyNotSet = ({ EMAIL, EMAIL_API_URL, EMAIL_API_KEY }: OutboxEnv): string | undefined => {
  if (!EMAIL_API_KEY) return "EMAIL_API_KEY is not set: there is no key to call the email service with.";
  if (EMAIL_API_URL) return unsafeAddress(EMAIL_API_URL);
  return EMAIL ? undefined : "There is neither the email Worker (the binding EMAIL) nor EMAIL_API_URL.";
};

/** Jitter in ms until arrival; HTTPS has more than a binding. */
export const guardOf = (env: OutboxEnv): number => (env.EMAIL_API_URL ? 100 : 20);

/** Minutes. */
export const backlogMinutesOf = ({ ALERT_BACKLOG_MINUTES }: OutboxEnv): number =>
  Number(ALERT_BACKLOG_MINUTES) > 0 ? Number(ALERT_BACKLOG_MINUTES) : DEFAULT_BACKLOG_MINUTES;

/** Returns a variable or secret; empty if not set. */
export const variableOf = (env: object, name: string): string => {
  const value = (env as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : "";
};
