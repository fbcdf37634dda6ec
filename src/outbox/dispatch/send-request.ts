import { createClient } from "../../lib/client.ts";
import { whyNotSet } from "../model/config.ts";
import type { Dependencies } from "../model/dependencies.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";
import { outcomeOf, outcomeOfAnswer } from "./read-outcome.ts";
import type { ServiceRequest } from "./service-request.ts";

type Network = Pick<Dependencies, "env" | "fetch" | "now" | "timeout">;

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Makes one attempt and classifies the response. Never throws. */
export const attempt = (
  network: Network,
  { send, deletes }: Pick<ServiceRequest, "send" | "deletes">,
  delivery: Pick<Delivery, "action">,
): Promise<Outcome> => request(network, send, deletes ? { action: "delete" } : delivery);

/**
 * Checks the API key: `done` or `key_refused`; other outcomes are unclear. Never throws.
 *
 * @param ms longest time for the answer
 */
export const askForKey = async (network: Network, ms = TIMEOUT): Promise<Outcome> => {
  const ask: ServiceRequest["send"] = (api, signal) => api.apiKey.test({ signal });
  const outcome = await request(network, ask, { action: "contact" }, ms);
  if (outcome.kind !== "failed") return outcome;
  const { status, message } = outcome;
  return { kind: "unknown", message, own: true, ...(status === undefined ? {} : { status }) };
};

const request = async (
  { env, fetch, now, timeout }: Network,
  send: ServiceRequest["send"],
  delivery: Pick<Delivery, "action">,
  ms = TIMEOUT,
): Promise<Outcome> => {
  const missing = whyNotSet(env);
  if (missing !== undefined) return { kind: "key_refused", status: 401, message: missing };
  try {
    const api = createClient({
      baseUrl: env.EMAIL_API_URL || "http://email",
      apiKey: env.EMAIL_API_KEY ?? "",
      fetch,
      now,
      headers: { "User-Agent": "mailspan-bridge" },
    });
    return outcomeOfAnswer(delivery, await send(api, timeout(ms)));
  } catch (error) {
    return outcomeOf(delivery, error);
  }
};
