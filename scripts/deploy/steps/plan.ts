import { PLAN_NAMES } from "../../../src/lib/plan.ts";
import type { Step } from "../state.ts";
import { deployedVars } from "../wrangler.ts";

const isName = (answer: string): boolean => PLAN_NAMES.some((name) => name === answer);

export const plan: Step = {
  title: "Cloudflare plan",
  why: "It sets how much work an event may do. On the Free plan, campaigns also stop before the rows of a day are used up.",
  async run(state) {
    const { io, workers, env, emailHas, emailVars } = state;
    if (emailHas.size > 0) state.varsBefore = (await deployedVars(io.run, workers.email, env)) ?? {};
    const { PLAN: before } = state.varsBefore;
    const initial = typeof before === "string" && isName(before) ? before : "paid";
    const answer =
      state.plan ??
      (await io.ask({
        variable: "PLAN",
        text: "Plan of the Cloudflare account, free or paid",
        initial,
        check: (given) => (isName(given) ? undefined : "It must be free or paid."),
      }));
    emailVars.PLAN = answer;
    io.print(`Plan: ${answer}.`);
  },
};
