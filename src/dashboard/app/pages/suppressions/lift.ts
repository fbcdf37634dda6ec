import { api } from "../../api/api.ts";
import type { Act } from "../../parts/acts/act.tsx";

/** Lifts a suppression for the operator: the team's quota of removals stays as it is. `why`: why the address is suppressed. */
export const liftingByOperator = (team: string, email: string, why: string): Act<unknown> => ({
  title: `Lift the suppression of ${email}?`,
  label: "Lift",
  effect: () => ({ text: `Mail to ${email} is sent again. ${why}`.trim() }),
  run: () => api.email.suppressions.remove({ team, email }),
  done: () => `The suppression of ${email} is lifted.`,
  asked: { api: "email", name: "suppressions.remove", fields: { team, email } },
});
