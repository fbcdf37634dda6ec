/**
 * Plan names by plan id; webhooks have ids only.
 *
 * plan_RCq7Vd2kLmXw9T: "Pro, monthly",
 */
export const PLANS: Readonly<Record<string, string>> = {};
