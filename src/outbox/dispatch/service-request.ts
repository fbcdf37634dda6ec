import type { createClient } from "../../lib/client.ts";
import type { Customers } from "../identity/customers.ts";
import type { Identifiers } from "../identity/resolve-person.ts";
import type { Subscriptions } from "../identity/subscriptions.ts";
import type { Watermarks } from "../identity/watermarks.ts";
import type { Delivery } from "../model/journal-types.ts";

/** A request to the email service, ready to send. */
export type ServiceRequest = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  /** Watermarks saved for `person` when the request succeeds. */
  written: Watermarks;
  person?: string;
  subscriptions?: Subscriptions;
  customers?: Customers;
  shows?: string | undefined;
  to?: Identifiers;
  /** True if user id and address are both sent; they may belong to two contacts. */
  both?: boolean;
  /** A 404 counts as success. */
  deletes?: true;
  /** The request changes nothing at the email service. */
  asks?: true;
  /** Called after success with the contact that a search found; prepares the next request. */
  next?: NextRequest | undefined;
};

/** @param now Unix ms */
export type NextRequest = (
  delivery: Delivery,
  found: Record<string, unknown> | undefined,
  now: number,
) => string | undefined;

/** The state and reason of a delivery settled without a request. */
export type FinalState = { state: "replaced" | "skipped" | "failed" | "undecided"; message: string };
