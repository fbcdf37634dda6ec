import { jsonWebhookHeaders, standardKey } from "../../lib/webhook/standard-webhook.ts";
import type { Alerts, Pending, Told } from "./alerts.ts";

/** Messages that wait at most; the oldest go first. */
const MOST_PENDING = 50;
const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 3_600_000;
/** Ms after which a message is given up. */
const GIVE_UP = 86_400_000;
const TIMEOUT = 10_000;

/** Where alerts go, or why they cannot. */
type AlertHook = { url: string; key: Uint8Array<ArrayBuffer> } | { problem: string } | undefined;

export const alertHookOf = (env: { ALERT_WEBHOOK_URL?: string; ALERT_WEBHOOK_SECRET?: string }): AlertHook => {
  const url = env.ALERT_WEBHOOK_URL?.trim() ?? "";
  if (url === "") return undefined;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return { problem: "ALERT_WEBHOOK_URL is not an address." };
  const key = standardKey(env.ALERT_WEBHOOK_SECRET ?? "");
  return key ? { url, key } : { problem: "ALERT_WEBHOOK_SECRET has to be whsec_<base64>: alerts cannot be signed." };
};

/** The body of an alert. `type` is its kind, with `.resolved` when it is over. */
export const bodyOf = ({ alert, status, count, since }: Told, now: number): string =>
  JSON.stringify({
    type: status === "resolved" ? `${alert.kind}.resolved` : alert.kind,
    timestamp: new Date(now).toISOString(),
    data: {
      status,
      subject: alert.subject,
      message: status === "resolved" ? `Over: ${alert.message}` : alert.message,
      // How often since the last alert of this kind and subject.
      count,
      ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
      ...alert.data,
    },
  });

/** Adds a message to those on their way. Returns the one that had to go for it. */
export const post = (alerts: Alerts, id: string, body: string, now: number): Pending | undefined => {
  alerts.pending.push({ id, at: now, body, tries: 0, due: now });
  return alerts.pending.length > MOST_PENDING ? alerts.pending.shift() : undefined;
};

/** One try of a message. Undefined when it arrived, else why not. Never throws. */
export const trySend = async (
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

/** After a try: it is gone, or comes again later. True when it was given up. */
export const settleMessage = (alerts: Alerts, id: string, failure: string | undefined, now: number): boolean => {
  const message = alerts.pending.find((pending) => pending.id === id);
  if (!message) return false;
  message.tries++;
  message.due = now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(message.tries - 1, 20));
  const over = failure === undefined || now - message.at >= GIVE_UP;
  if (over) alerts.pending = alerts.pending.filter((pending) => pending !== message);
  return over && failure !== undefined;
};

export const nextMessage = ({ pending }: Alerts): Pending | undefined =>
  pending.reduce<Pending | undefined>((first, one) => (first && first.due <= one.due ? first : one), undefined);
