import { DAY_MS } from "../../lib/util/dates.ts";
import { standardKey } from "../../lib/webhook/standard-webhook.ts";

/** Bindings, variables and secrets that the Outbox reads. */
export type OutboxEnv = {
  /** The email Worker beside it. */
  EMAIL?: Fetcher;
  /** Any other host of the v1 API; then EMAIL is not used. */
  EMAIL_API_URL?: string;
  EMAIL_API_KEY?: string;
  TEMPLATES?: Record<string, string>;
  LISTS?: Record<string, string>;
  CONTACT_PROPERTIES?: string;
  /** Addresses and domains (`@example.com`), separated by spaces or commas. Empty: all. */
  ALLOWED_RECIPIENTS?: string;
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

/** Settings that decide how a call is sent to the host, or whether it is. */
export type DeliveryConfig = {
  /** Template name to transactionalId. */
  templates: Readonly<Record<string, string>>;
  /** Mailing list name to id. */
  lists: Readonly<Record<string, string>>;
  /** `nested`: custom properties under `properties` (the specification); `flat`: as top-level keys (the published hosted service). */
  contactProperties: "nested" | "flat";
  /** Allowed recipients: addresses (`ada@example.com`) and domains (`@example.com`), lower case; empty: all. */
  allowed: readonly string[];
};

export const configOf = (env: OutboxEnv): DeliveryConfig => ({
  templates: env.TEMPLATES ?? {},
  lists: env.LISTS ?? {},
  allowed: (env.ALLOWED_RECIPIENTS ?? "")
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean),
  contactProperties: env.CONTACT_PROPERTIES === "flat" ? "flat" : "nested",
});

/** Retention of the journal in ms. Less than two days is not allowed: providers may still resend such an event. */
export const retentionOf = ({ RETENTION_DAYS }: OutboxEnv): number =>
  (Number(RETENTION_DAYS) >= 2 ? Number(RETENTION_DAYS) : DEFAULT_RETENTION_DAYS) * DAY_MS;

/** Ms for which providers resend a webhook that they believe undelivered (Stripe: three days). */
export const RESENT_FOR = 3 * DAY_MS;

/** Bytes of the database above which every settled webhook may be deleted. An object that has 10 GB accepts nothing. */
export const OBJECT_LIMIT = 9_500_000_000;

/** Size of the database in bytes above which the journal is purged, 9 GB at most. */
export const sizeOf = (env: OutboxEnv): number =>
  Math.min(Number(env.MAX_JOURNAL_MB) > 0 ? Number(env.MAX_JOURNAL_MB) : DEFAULT_JOURNAL_MB, LARGEST_JOURNAL_MB) *
  1_000_000;

/** Hosts that only this machine or a private network reaches. */
const PRIVATE_HOST =
  /^((.+\.)?localhost|[\w-]+|.+\.(internal|local)|(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+)+|\[::1\])$/;

/** Why keys and tokens must not be sent to the address in EMAIL_API_URL, or undefined. Plain http shows them to the network. */
export const unsafeAddress = (url: string): string | undefined => {
  if (!URL.canParse(url)) return `EMAIL_API_URL is not an address: ${url}`;
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || (protocol === "http:" && PRIVATE_HOST.test(hostname))) return undefined;
  return `EMAIL_API_URL must be an https address, or http in a private network: ${url}`;
};

/** Why the host cannot be called at all, or undefined. If so, delivery is blocked, and that time is downtime. */
export const whyNotSet = ({ EMAIL, EMAIL_API_URL, EMAIL_API_KEY }: OutboxEnv): string | undefined => {
  if (!EMAIL_API_KEY) return "EMAIL_API_KEY is not set: there is no key to call the email service with.";
  if (EMAIL_API_URL) return unsafeAddress(EMAIL_API_URL);
  return EMAIL ? undefined : "There is neither the email Worker (the binding EMAIL) nor EMAIL_API_URL.";
};

/** Jitter in ms to allow for between sending a request and its arrival at the host. HTTPS has more than a binding. */
export const guardOf = (env: OutboxEnv): number => (env.EMAIL_API_URL ? 100 : 20);

/** Minutes after which waiting calls are a backlog that raises an alert. */
export const backlogMinutesOf = ({ ALERT_BACKLOG_MINUTES }: OutboxEnv): number =>
  Number(ALERT_BACKLOG_MINUTES) > 0 ? Number(ALERT_BACKLOG_MINUTES) : DEFAULT_BACKLOG_MINUTES;

/** Where alerts are sent, or the problem that prevents it; undefined where no address is configured. */
type AlertHook = { url: string; key: Uint8Array<ArrayBuffer> } | { problem: string } | undefined;

export const alertHookOf = ({ ALERT_WEBHOOK_URL, ALERT_WEBHOOK_SECRET }: OutboxEnv): AlertHook => {
  const url = ALERT_WEBHOOK_URL?.trim() ?? "";
  if (url === "") return undefined;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return { problem: "ALERT_WEBHOOK_URL is not a URL." };
  const key = standardKey(ALERT_WEBHOOK_SECRET ?? "");
  return key
    ? { url, key }
    : { problem: "ALERT_WEBHOOK_SECRET must have the form whsec_<base64>. Without it, alerts cannot be signed." };
};

/** A variable or secret by its name; empty where it is not set. */
export const variableOf = (env: object, name: string): string => {
  const value = (env as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : "";
};
