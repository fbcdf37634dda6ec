import { createClient } from "../../lib/client.ts";
import { whyNotSet } from "../model/config.ts";
import type { Dependencies } from "../model/dependencies.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Call } from "../model/types.ts";
import type { HostRequest } from "./host-request.ts";
import { outcomeOf, outcomeOfAnswer } from "./outcome.ts";

/** Ms the host has to answer. */
const TIMEOUT = 10_000;

/** One attempt of a claimed call: sends the request and classifies the answer. Never throws. */
export const attempt = async (
  { env, fetch, now, timeout }: Pick<Dependencies, "env" | "fetch" | "now" | "timeout">,
  { send, deletes }: HostRequest,
  call: Pick<Call, "action">,
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
    return outcomeOfAnswer(await send(api, timeout(TIMEOUT)));
  } catch (error) {
    return outcomeOf(deletes ? { action: "delete" } : call, error);
  }
};
