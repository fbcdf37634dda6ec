import type { Alert } from "../../lib/alerts/open-alerts.ts";
import { isoOf } from "../../lib/util/dates.ts";
import type { Observation } from "../model/observation.ts";
import type { AlertKind } from "./alert-kinds.ts";

const MB = 1_000_000;
const megabytes = (bytes: number): number => Math.round(bytes / MB);

/** Builds the alerts after a purge by database size. */
export const journalAlerts = (purge: Observation & { kind: "size" }): Alert<AlertKind>[] => {
  const { size, bound, deleted, deletedTo } = purge;
  const data = { megabytes: megabytes(size), bound: megabytes(bound) };
  const alerts: Alert<AlertKind>[] = [];
  if (deleted > 0) {
    const acceptedUntil = isoOf(deletedTo);
    alerts.push({
      kind: "journal.deleted",
      subject: "",
      data: { ...data, deleted, acceptedUntil },
      message: `The journal reached MAX_JOURNAL_MB. Settled webhooks accepted until ${acceptedUntil} were deleted. The ledger shows them no more, and one of them that is sent again is a new webhook.`,
    });
  }
  if (size > bound) {
    alerts.push({
      kind: "journal.full",
      subject: "",
      data,
      message: `The journal has ${data.megabytes} MB, and MAX_JOURNAL_MB allows ${data.bound}. Nothing more may be purged: what is left is open, younger than three days, or not a webhook. Set MAX_JOURNAL_MB higher, 9000 at most.`,
    });
  }
  return alerts;
};
