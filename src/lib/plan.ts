/** `capacity`: mails that a Mailer holds. `orders`: orders to Mailers in one event of a Workspace. */
export type Budget = { capacity: { transactional: number; marketing: number }; orders: number };

/**
 * Budgets of an event. Cloudflare permits 50 subrequests on the Free plan and 10 000 on a paid one. A transactional
 * mail may need a second one, for its attachments.
 */
const PLANS: Readonly<Record<"free" | "paid", Budget>> = {
  free: { capacity: { transactional: 15, marketing: 30 }, orders: 20 },
  paid: { capacity: { transactional: 100, marketing: 100 }, orders: 500 },
};

const isPlan = (name: string): name is keyof typeof PLANS => Object.hasOwn(PLANS, name);

/** Reads the Cloudflare plan of this account. A problem means that the budgets of the Free plan are used. */
export const readPlan = ({ PLAN = "" }: { PLAN?: string }): Budget & { problem?: string } => {
  const name = PLAN.trim() || "paid";
  if (isPlan(name)) return PLANS[name];
  return { ...PLANS.free, problem: "PLAN must be free or paid: free is used" };
};
