import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
import type { Sent } from "./provider.ts";
import type { Arrival } from "./proxy.ts";
import { addressOf, userIdOf } from "./webhooks.ts";

/** True for a delivery with an idempotency key. */
export const isKeyed = ({ action }: Delivery): boolean => action === "event" || action === "transactional";

/** Requests of a delivery: with its key, or without a key but with its contact. */
export const requestsOf = (arrivals: readonly Arrival[], sent: Sent, delivery: Delivery): Arrival[] =>
  isKeyed(delivery)
    ? arrivals.filter(({ key }) => key === delivery.key)
    : arrivals.filter((arrival) => arrival.key === undefined && isAbout(arrival, sent));

const isAbout = ({ path, body }: Arrival, sent: Sent): boolean => {
  const query = new URL(path, "http://host").searchParams;
  const given = body === "" ? {} : (JSON.parse(body) as { email?: string; userId?: string });
  const { email = query.get("email"), userId = query.get("userId") } = given;
  return email === addressOf(sent) || (userId !== null && userId === userIdOf(sent));
};

/** True if the email service refused the request, or the proxy did so in the form of the API. */
export const isRefused = ({ passings, fault }: Arrival): boolean =>
  fault?.startsWith("401 of the API") ||
  fault?.startsWith("403 of the API") ||
  passings.some(({ status = 0 }) => status >= 400 && status < 500 && status !== 409 && status !== 429);

export const isAnswered = ({ passings }: Arrival): boolean =>
  passings.some(({ status = 0 }) => status >= 200 && status < 300);

/** True if the email service acted on the request, or may have done so before a kill. */
export const acted = ({ passings }: Arrival): boolean =>
  passings.some(({ status, error }) => error !== undefined || (status !== undefined && status >= 200 && status < 300));

/** True if the email service did the update or removal, or had nothing to do. */
export const fulfills = (one: Arrival, sent: Sent, { action, removes }: Delivery): boolean => {
  if (action === "delete")
    return one.path === "/v1/contacts/delete" && (acted(one) || one.passings.some(({ status }) => status === 404));
  if (!acted(one)) return false;
  if (removes) return one.path.startsWith("/v1/contacts/find") || one.body.includes('"subscribed":false');
  if (valueKind(sent) !== undefined) return (valueIn(one, sent) ?? -1) >= sent.n;
  return one.path === "/v1/contacts/update";
};

/** The number of the webhook that wrote this request's value. Undefined without such a value. */
export const valueIn = ({ body, path }: Arrival, { topic }: Sent): number | undefined => {
  if (!path.endsWith("/contacts/update")) return undefined;
  const [, found] = (topic === "renewal" ? /"lastPurchaseAmount":(\d+)/ : /"firstName":"v(\d+)"/).exec(body) ?? [];
  return found === undefined ? undefined : Number(found) - (topic === "renewal" ? 1 : 0);
};

/** The property with the value of a topic's webhooks. Undefined for a topic without one. */
export const valueKind = ({ topic }: Pick<Sent, "topic">): "firstName" | "lastPurchaseAmount" | undefined => {
  if (topic === "renewal") return "lastPurchaseAmount";
  return topic === "sign-up" || topic === "profile" || topic === "changed" || topic === "noted"
    ? "firstName"
    : undefined;
};
