import { isMachineFull, isReserveLow } from "../../lib/util/full-disk.ts";
import type { Overload, PlannedWebhook } from "../model/journal-types.ts";
import { laneOf } from "../queue/enqueue.ts";
import type { Queue } from "../queue/person-queues.ts";
import { countOpen, quotaOf } from "../queue/quota.ts";

export type Admission = {
  source: string;
  webhooks: number;
  urgent: number;
  deliveries: number;
  /** True if every webhook with deliveries has an urgent one. */
  isUrgent: boolean;
};

export const admissionOf = (webhooks: readonly PlannedWebhook[]): Admission => {
  const admission: Admission = {
    source: webhooks[0]?.source ?? "",
    webhooks: 0,
    urgent: 0,
    deliveries: 0,
    isUrgent: true,
  };
  for (const { deliveries, skip, lane } of webhooks) {
    if (skip !== undefined || deliveries.length === 0) continue;
    const isUrgent = deliveries.some((delivery) => (lane ?? laneOf(delivery)) === "urgent");
    admission.webhooks += 1;
    admission.urgent += Number(isUrgent);
    admission.deliveries += deliveries.length;
    admission.isUrgent &&= isUrgent;
  }
  return admission;
};

export const countAdmitted = ({ open }: Queue, { source, webhooks, urgent, deliveries }: Admission, by: 1 | -1): void =>
  countOpen(open, source, { webhooks: by * webhooks, urgent: by * urgent, deliveries: by * deliveries });

/** Seconds. */
const RETRY_AFTER = 60;

const DISK_FULL: Overload = {
  message: `The disk of this machine is full. This webhook was not accepted. Free the disk; send it again after ${RETRY_AFTER} s.`,
  retryAfter: RETRY_AFTER,
};

/** Returns an overload at the backlog limit, or on a full disk. A request that begins below the limit may exceed it. */
export const noRoom = (queue: Queue, { source, webhooks, isUrgent }: Admission): Overload | undefined => {
  if (isMachineFull() && !(webhooks > 0 && isUrgent && !isReserveLow())) return DISK_FULL;
  if (webhooks === 0) return undefined;
  const { used, quota, paused } = quotaOf(queue, source, isUrgent);
  if (used < quota) return undefined;
  const what = `The source "${source}" ${paused ? "is paused and " : ""}has ${used} webhooks with open ${isUrgent && !paused ? "urgent " : ""}deliveries, and its quota is ${quota}. This webhook was not accepted.`;
  const cure = paused
    ? "Resume the source (POST /admin/resume), then send it again."
    : `Send it again after ${RETRY_AFTER} s. GET /admin/status shows why deliveries wait.`;
  return { message: `${what} ${cure}`, retryAfter: RETRY_AFTER };
};
