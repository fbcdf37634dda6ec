import type { Refusal } from "../../../lib/contract/errors.ts";
import type { MailSettings } from "../../delivery/senders/mail-settings.ts";
import type { Write } from "../../policy/workflows/run/entry.ts";
import type { QueueState } from "../../types/pulse.ts";
import type { DayRows } from "../core/day-rows.ts";

/** Context of an operation, and the only source of time and randomness. */
export type Context = {
  sql: SqlStorage;
  /** Unix ms, constant during one request. */
  now: number;
  id(prefix: string): string;
  /** Scheme and host of the request's URL, without a final slash. */
  origin: string;
  idempotencyKey?: string;
  /** MAIL_DOMAIN: for the local inbox, if the team has no domain. */
  domain: string;
  mail: MailSettings;
  sendingIps: readonly string[];
  publicUrl: string;
  /** DASHBOARD_URL without a final slash, if it is set. */
  dashboardUrl?: string | undefined;
  hasBucket: boolean;
  /** Bytes that the database may have; 10 GB if absent. */
  maxBytes?: number;
  /** True if a write failed just now for want of room. */
  noRoom?: boolean;
  /** Rows of the day. Without it there is no ceiling. */
  dayRows?: DayRows;
  /** Name of a Mailer that takes a transactional mail at once, if nothing limits it. */
  freeMailer?(): string | undefined;
  /** Marketing mail that Mailers have. */
  marketingClaims?(): Omit<QueueState, "oldestDue">;
  /** Work after the commit. A refusal empties it. */
  after: After;
};

type Contact = { n: number; id: string; email: string | null };

export type ContactWrite = Write & {
  after: Write["after"] & { n: number };
  event?: Readonly<Record<string, unknown>>;
};

/**
 * `domains`: true if a domain or its warm-up may have changed. `sends`: `n` of new rows. `writes`: may start
 * workflows. `entered`: true if a contact entered a workflow. `pending`: contacts to confirm. `stopped`: workflow and
 * campaign ids to recall mail of. `wake`: latest alarm, Unix ms.
 */
type After = {
  domains: boolean;
  sends: number[];
  writes: ContactWrite[];
  entered: boolean;
  pending: Contact[];
  stopped: string[];
  wake: number;
};

export const nothing = (): After => ({
  domains: false,
  sends: [],
  writes: [],
  entered: false,
  pending: [],
  stopped: [],
  wake: Number.POSITIVE_INFINITY,
});

/** `at`: Unix ms. */
export const wake = ({ after }: Pick<Context, "after">, at: number): void => {
  after.wake = Math.min(after.wake, at);
};

export type Result<Body> = { body: Body } | { refusal: Refusal };
