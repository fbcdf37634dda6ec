import { DAY_MS, HOUR_MS, isoOf } from "../util/dates.ts";
import { jsonWebhookHeaders } from "../webhook/standard-webhook.ts";
import type { Alerts, Notice, Pending } from "./open-alerts.ts";

const MAX_PENDING = 50;
const FIRST_WAIT = 10_000;
const LONGEST_WAIT = HOUR_MS;
/** Milliseconds. */
const GIVE_UP = DAY_MS;
const TIMEOUT = 10_000;

/** Builds the body; `type` is the alert's kind, plus `.resolved` at its end. */
export const noticeBody = ({ alert, status, count, since }: Notice, now: number): string =>
  JSON.stringify({
    type: status === "resolved" ? `${alert.kind}.resolved` : alert.kind,
    timestamp: isoOf(now),
    data: {
      status,
      subject: alert.subject,
      message: status === "resolved" ? `Over: ${alert.message}` : alert.message,
      // Counted since the last alert of this kind and subject.
      count,
      ...(since === undefined ? {} : { since: isoOf(since) }),
      ...alert.data,
    },
  });

/** Adds a notice. Returns the notice dropped for it, if any. */
export const enqueueNotice = (alerts: Alerts, id: string, body: string, now: number): Pending | undefined => {
  alerts.pending.push({ id, at: now, body, attemptCount: 0, due: now });
  return alerts.pending.length > MAX_PENDING ? alerts.pending.shift() : undefined;
};

/** Sends a notice once. Returns the failure reason, or undefined. Never throws. */
export const sendNotice = async (
  { url, key }: { url: string; key: Uint8Array<ArrayBuffer> },
  { id, body }: Pending,
  now: number,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  timeout: (ms: number) => AbortSignal,
): Promise<string | undefined> => {
  try {
    const headers = await jsonWebhookHeaders(key, id, now, body);
    const signal = timeout(TIMEOUT);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? "no answer in time" : "could not be reached";
  }
};

/** Records an attempt. Returns true if the notice was given up. */
export const settleNotice = (alerts: Alerts, id: string, failure: string | undefined, now: number): boolean => {
  const notice = alerts.pending.find((pending) => pending.id === id);
  if (!notice) return false;
  notice.attemptCount++;
  notice.due = now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(notice.attemptCount - 1, 20));
  const over = failure === undefined || now - notice.at >= GIVE_UP;
  if (over) alerts.pending = alerts.pending.filter((pending) => pending !== notice);
  return over && failure !== undefined;
};

export const nextNotice = ({ pending }: Alerts): Pending | undefined =>
  pending.reduce<Pending | undefined>((first, one) => (first && first.due <= one.due ? first : one), undefined);
