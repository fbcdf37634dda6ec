import { DAY_MS } from "../../../lib/util/dates.ts";
/** How long accepted events and settled sends are kept, in ms: 30 days. */
export const RETENTION_MS = 30 * DAY_MS;
