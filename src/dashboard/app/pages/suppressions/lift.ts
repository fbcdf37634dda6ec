import { api } from "../../api/api.ts";
import type { Act } from "../../parts/acts/act.tsx";

/** Removes a suppression as operator, outside the team's quota. `why`: reason for the suppression. */
export const liftingByOperator = (team: string, email: string, why: string): Act<unknown> => ({
  title: `Lift the suppression of ${email}?`,
  label: "Lift",
  effect: () => ({ text: `Mail to ${email} is sent again. ${why}`.trim() }),
  run: () => api.email.suppressions.remove({ team, email }),
  done: () => `The suppression of ${email} is lifted.`,
  asked: { api: "email", name: "suppressions.remove", fields: { team, email } },
});
