/**
 * Plan names by product id; webhooks have ids only.
 *
 * pdt_8Qk2LmXw9TzB4nVc: "Pro, monthly",
 */
export const PLANS: Readonly<Record<string, string>> = {};
