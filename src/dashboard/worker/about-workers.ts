import { readAnswerText } from "../../lib/contract/body.ts";
import { log } from "../../lib/util/log.ts";
import { bindingOf, type Env, type Half } from "./env.ts";
import { adminRequest } from "./proxy.ts";

const MAX_ANSWER = 100_000;
const PATIENCE_MS = 5_000;

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
    // The error may quote the admin token.
    log("half_unreachable", { half, error: (error as Error).message });
    return { unreachable: `The ${half} Worker gave no answer.` };
  }
};

export const aboutHalves = async (env: Env) => {
  const [bridge, email] = await Promise.all([aboutHalf(env, "bridge"), aboutHalf(env, "email")]);
  return { bridge, email, v1: email ? ("email" as const) : bridge ? ("bridge" as const) : null };
};
