import { DAY_MS } from "../../../lib/util/dates.ts";
/** Retention of events and settled sends, in ms: 30 days. */
export const RETENTION_MS = 30 * DAY_MS;
