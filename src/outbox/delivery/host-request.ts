import type { createClient } from "../../lib/client.ts";
import type { Subscriptions } from "../identity/subscriptions.ts";
import type { Watermarks } from "../identity/watermarks.ts";
import type { Call } from "../model/types.ts";

/** A request to the host, ready to be sent. */
export type HostRequest = {
  send: (api: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>;
  /** The watermarks to save for `person` when the request succeeds. */
  written: Watermarks;
  person?: string;
  /** What the request says about subscriptions of `person`. Saved with the watermarks. */
  subscriptions?: Subscriptions;
  /** The id of the subscription whose properties it writes. */
  shows?: string | undefined;
  /** The request has user id and address, which may belong to two contacts of the host. */
  both?: boolean;
  /** The request deletes a contact. If the host has none (404), that is done. */
  deletes?: true;
  /** The request only asks: it changes nothing at the host. */
  asks?: true;
  /**
   * For a call that makes several requests. Called when the request has succeeded, with the contact that a search found:
   * prepares the call for its next request and returns what to tell about it; undefined when the call is done.
   */
  next?: NextRequest | undefined;
};

export type NextRequest = (call: Call, found: Record<string, unknown> | undefined) => string | undefined;

/** How a call is settled without a request, and why. */
export type FinalState = { state: "superseded" | "skipped" | "dead" | "parked"; message: string };
