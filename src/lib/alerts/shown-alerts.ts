import { isoOf } from "../util/dates.ts";
import type { ShownAlerts } from "./alert-board.ts";

/** Returns the body of `GET /admin/alerts`. */
export const shownAlerts = ({ alerts, pending }: ShownAlerts) => ({
  data: alerts.map(({ since, notifiedAt, ...rest }) => ({
    ...rest,
    since: since === null ? null : isoOf(since),
    notifiedAt: isoOf(notifiedAt),
  })),
  pending,
});
