/**
 * Plan names by the id of a plan variation; webhooks have ids only.
 *
 * "6JHXF3B2CW3YKHDV4XEM674H": "Pro, monthly",
 */
export const PLANS: Readonly<Record<string, string>> = {};
