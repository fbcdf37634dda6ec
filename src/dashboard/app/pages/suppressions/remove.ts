import { api } from "../../api/api.ts";
import type { Act } from "../../parts/acts/act.tsx";

/** Removes a suppression as operator, outside the team's quota. `why`: reason for the suppression. */
export const removingByOperator = (team: string, email: string, why: string): Act<unknown> => ({
  title: `Remove ${email} from suppression?`,
  label: "Remove",
  effect: () => ({ text: `Mail to ${email} is sent again. ${why}`.trim() }),
  run: () => api.email.suppressions.remove({ team, email }),
  done: () => `${email} is removed from suppression.`,
  asked: { api: "email", name: "suppressions.remove", fields: { team, email } },
});
