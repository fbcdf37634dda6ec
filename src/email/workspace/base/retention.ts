export const DAY_MS = 86_400_000;
/** How long accepted events and settled sends are kept, in ms: 30 days. */
export const RETENTION_MS = 30 * DAY_MS;
