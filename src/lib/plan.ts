/** `capacity`: mails that a Mailer holds. `orders`: orders to Mailers in one event of a Workspace. */
export type Budget = { capacity: { transactional: number; marketing: number }; orders: number };

/**
 * `calls`: all outside calls in one event of a Workspace, orders among them. `dayRows`: rows that the account may write
 * on a UTC day; infinity without a ceiling.
 */
export type Plan = Budget & { calls: number; dayRows: number };

export const PLAN_NAMES = ["free", "paid"] as const;
type PlanName = (typeof PLAN_NAMES)[number];

/**
 * Budgets of an event. Cloudflare permits 50 subrequests on the Free plan and 10 000 on a paid one. A transactional
 * mail may need a second one, for its attachments. Rows of a day: https://developers.cloudflare.com/durable-objects/platform/pricing/
 */
const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { capacity: { transactional: 15, marketing: 30 }, orders: 20, calls: 45, dayRows: 100_000 },
  paid: {
    capacity: { transactional: 100, marketing: 100 },
    orders: 500,
    calls: 9_000,
    dayRows: Number.POSITIVE_INFINITY,
  },
};

const isPlan = (name: string): name is PlanName => Object.hasOwn(PLANS, name);

/** Reads the Cloudflare plan of this account, and DAY_ROWS. A problem means that a default is used instead. */
export const readPlan = ({
  PLAN = "",
  DAY_ROWS = "",
}: {
  PLAN?: string;
  DAY_ROWS?: string | number;
}): Plan & {
  problem?: string;
} => {
  const name = PLAN.trim() || "paid";
  const plan = PLANS[isPlan(name) ? name : "free"];
  if (!isPlan(name)) return { ...plan, problem: "PLAN must be free or paid: free is used" };
  const given = String(DAY_ROWS).trim();
  if (given === "") return plan;
  const dayRows = Number(given);
  if (Number.isSafeInteger(dayRows) && dayRows > 0) return { ...plan, dayRows };
  return { ...plan, problem: "DAY_ROWS must be a whole number of rows above 0: it is not used" };
};
