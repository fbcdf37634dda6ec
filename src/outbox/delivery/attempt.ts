import { createClient } from "../../lib/client.ts";
import { type OutboxEnv, type Surroundings, whyNotSet } from "../model/config.ts";
import type { Call } from "../model/types.ts";
import { type Outcome, outcomeOf, outcomeOfAnswer } from "./outcome.ts";
import type { OutboxRequest } from "./request.ts";

/** Ms the host has to answer. */
const TIMEOUT = 10_000;

/** One try of a claimed call: lets the request go and says what came of it. Never throws. */
export const attempt = async (
  env: OutboxEnv,
  { fetch, timeout }: Surroundings,
  { send }: OutboxRequest,
  call: Pick<Call, "action">,
): Promise<Outcome> => {
  const missing = whyNotSet(env);
  if (missing !== undefined) return { kind: "held", status: 401, message: missing };
  try {
    const api = createClient({
      baseUrl: env.EMAIL_API_URL || "http://email",
      apiKey: env.EMAIL_API_KEY ?? "",
      fetch,
      headers: { "User-Agent": "mailspan-bridge" },
    });
    return outcomeOfAnswer(await send(api, timeout(TIMEOUT)));
  } catch (error) {
    return outcomeOf(call, error);
  }
};
