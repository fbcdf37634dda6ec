import { readAnswerText } from "../../lib/contract/body.ts";
import { log } from "../../lib/util/log.ts";
import { bindingOf, type Env, type Half } from "./env.ts";
import { adminRequest } from "./proxy.ts";

/** Most bytes of an answer. */
const MAX_ANSWER = 100_000;
/** Ms that a half has for its answer: the page waits for it. */
const PATIENCE_MS = 5_000;

/** What a half says about itself; null where it is not deployed. */
const aboutHalf = async (env: Env, half: Half): Promise<Record<string, unknown> | null> => {
  const binding = bindingOf(env, half);
  if (!binding) return null;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await binding.fetch(adminRequest(env, "/about", { signal }));
    const text = (await readAnswerText(answer, MAX_ANSWER)) ?? "";
    if (answer.ok) return JSON.parse(text) as Record<string, unknown>;
    if (answer.status === 401) return { unreachable: `The ${half} Worker has another ADMIN_TOKEN than the dashboard.` };
    return { unreachable: `The ${half} Worker answered ${answer.status}.` };
  } catch (error) {
    // What went wrong may quote the request, which has the admin token.
    log("half_unreachable", { half, error: (error as Error).message });
    return { unreachable: `The ${half} Worker gave no answer.` };
  }
};

/** Which halves there are, and where operations of the v1 API go. */
export const aboutHalves = async (env: Env) => {
  const [bridge, email] = await Promise.all([aboutHalf(env, "bridge"), aboutHalf(env, "email")]);
  return { bridge, email, v1: email ? ("email" as const) : bridge ? ("bridge" as const) : null };
};
