import type { Refusal } from "../../../lib/contract/errors.ts";
import type { MailSettings } from "../../delivery/senders/envelope.ts";
import type { Write } from "../../policy/workflows/run/entry.ts";

/** Everything an operation works with. Time and randomness come from here only. */
export type Context = {
  sql: SqlStorage;
  /** Unix ms, the same throughout one request. */
  now: number;
  /** A random identifier with this prefix. */
  id(prefix: string): string;
  /** Scheme and host of the request's URL, without a slash at its end, for the addresses in answers. */
  origin: string;
  /** The idempotency key of the request; undefined where it has none. */
  idempotencyKey?: string;
  /** MAIL_DOMAIN: the domain of mail in the local inbox, for a team without a domain of its own. */
  domain: string;
  /** What sending domains depend on. */
  mail: MailSettings;
  /** IP addresses that send only this host's mail. */
  sendingIps: readonly string[];
  /** Address under which recipients reach this Worker, in the form of `origin`. */
  publicUrl: string;
  /** True when there is a bucket for uploads. */
  hasBucket: boolean;
  /** Work to do after the commit. A refusal empties it. */
  after: After;
};

/** A contact with an address. `n`: of its row. */
type Contact = { n: number; id: string; email: string | null };

/** A write to a contact, with the properties of the event that came with it. `n`: of the contact's row. */
export type ContactWrite = Write & {
  after: Write["after"] & { n: number };
  event?: Readonly<Record<string, unknown>>;
};

/**
 * `sends`: `n` of new rows in `sends`, ready for delivery. `writes`: what may start workflows, in the same transaction. `entered`: true when a contact has entered a workflow. `pending`: contacts
 * whose owners are asked to confirm, in the same transaction. `stopped`: ids of workflows and campaigns whose mail is recalled from the
 * Mailers. `wake`: latest time for the next alarm, in Unix ms.
 */
type After = {
  sends: number[];
  writes: ContactWrite[];
  entered: boolean;
  pending: Contact[];
  stopped: string[];
  wake: number;
};

export const nothing = (): After => ({
  sends: [],
  writes: [],
  entered: false,
  pending: [],
  stopped: [],
  wake: Number.POSITIVE_INFINITY,
});

/** Asks for an alarm no later than `at`, in Unix ms. */
export const wake = ({ after }: Pick<Context, "after">, at: number): void => {
  after.wake = Math.min(after.wake, at);
};

/** A result or an expected refusal, as a value. */
export type Result<Body> = { body: Body } | { refusal: Refusal };
