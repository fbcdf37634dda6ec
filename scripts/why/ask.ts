import { type Bridge, get, NoAnswer } from "../lib/bridge.ts";
import { askEmailService, type EmailService } from "../lib/email-service.ts";
import type { Consent, Delivery, Found, Refused, Status, Suppression, Webhook } from "./found.ts";
import { askMails } from "./mails.ts";

type Page<T> = { data: T[]; next: string | null; searchedTo: string | null };

/** Each request covers up to 2,000 webhooks. */
const MOST_PAGES = 1_000;
const MOST_WAITING = 5;

type Options = { since: string; limit: number; full: boolean };
type Asked = { bridge: Bridge; email: EmailService | undefined };

/** Collects data about a person, a webhook (`wh_…`) or a delivery (`wh_….0`). */
export const ask = async ({ bridge, email }: Asked, subject: string, options: Options): Promise<Found> => {
  const status = await get<Status>(bridge, "/status");
  const [, webhook, delivery] = /^(wh_[0-9a-z]+)(\.\d+)?$/.exec(subject) ?? [];
  const found =
    webhook === undefined
      ? await askPerson(bridge, subject, options)
      : await askWebhook(bridge, webhook, delivery && subject);
  if (!email) return { ...found, status };
  const { webhooks } = found;
  const address = subject.includes("@") ? subject : undefined;
  const mails = await askMails(email, { webhooks, email: address, since: options.since });
  const consent = webhook === undefined ? await consentOf(email, subject) : null;
  return { ...found, status, mails, consent };
};

const askWebhook = async (bridge: Bridge, id: string, delivery: string | undefined): Promise<Omit<Found, "status">> => {
  const webhook = await get<Webhook>(bridge, `/webhooks/${id}`, { body: "0" });
  const deliveries =
    delivery === undefined ? webhook.deliveries : webhook.deliveries.filter((one) => one.id === delivery);
  if (delivery !== undefined && deliveries.length === 0) {
    const known = webhook.deliveries.map((one) => one.id).join(", ") || "none";
    throw new NoAnswer(`The webhook ${id} has no delivery ${delivery}. Its deliveries: ${known}.`);
  }
  const timeline = webhook.timeline?.filter(
    (step) => delivery === undefined || step.delivery === undefined || step.delivery === delivery,
  );
  const emails = [...new Set(deliveries.flatMap(({ contact }) => contact.email ?? []))];
  return {
    person: delivery ?? id,
    kind: "webhook",
    more: false,
    searchedTo: null,
    waiting: [],
    refused: [],
    webhooks: [{ ...webhook, deliveries, ...(timeline ? { timeline } : {}) }],
    suppression: emails[0] === undefined || emails.length > 1 ? undefined : await suppressionOf(bridge, emails[0]),
  };
};

const askPerson = async (
  bridge: Bridge,
  person: string,
  { since, limit, full }: Options,
): Promise<Omit<Found, "status">> => {
  const named: Record<string, string> = person.includes("@") ? { email: person } : { ref: person, userId: person };
  const webhooks: Webhook[] = [];
  let searchedTo: string | null = null;
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && webhooks.length < limit && pages < MOST_PAGES; pages++) {
    const query = { ...named, since, limit: String(Math.min(100, limit - webhooks.length)) };
    const page: Page<Webhook> = await get(bridge, "/webhooks", cursor === "" ? query : { ...query, cursor });
    // People also search by the provider's webhook id.
    webhooks.push(
      ...page.data.map(({ onlyNamed, ...one }) => (onlyNamed && one.eventId !== person ? { ...one, onlyNamed } : one)),
    );
    searchedTo = page.searchedTo ?? searchedTo;
    cursor = page.next;
  }
  const shown = full
    ? await Promise.all(
        webhooks.map(async ({ id, onlyNamed }) => ({
          ...(await get<Webhook>(bridge, `/webhooks/${id}`, { body: "0" })),
          // Only the search knows this; GET /webhooks/:id does not.
          ...(onlyNamed ? { onlyNamed } : {}),
        })),
      )
    : webhooks;
  const suppression = named.email === undefined ? undefined : await suppressionOf(bridge, named.email);
  const waiting = webhooks.length > 0 ? [] : await waitingDeliveries(bridge);
  const refused = webhooks.length > 0 ? [] : (await get<{ totals: Refused[] }>(bridge, "/refusals", { since })).totals;
  return { person, kind: "person", webhooks: shown, more: cursor !== null, searchedTo, suppression, waiting, refused };
};

/** The bridge may work even if the email service is unreachable. */
const suppressionOf = async (bridge: Bridge, email: string): Promise<Suppression | string> => {
  try {
    return await get<Suppression>(bridge, "/suppression", { email });
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
};

const consentOf = async (email: EmailService, person: string): Promise<Consent | null> => {
  try {
    const path = `/contacts/${encodeURIComponent(person)}`;
    return (await askEmailService<{ consent: Consent | null }>(email, "GET", path)).consent;
  } catch (error) {
    if (error instanceof NoAnswer) return null;
    throw error;
  }
};

const waitingDeliveries = async (bridge: Bridge): Promise<Delivery[]> => {
  const { data } = await get<Page<Delivery>>(bridge, "/deliveries", { state: "waiting", limit: "100" });
  return data.filter(({ waitingFor }) => waitingFor?.for === "identity").slice(0, MOST_WAITING);
};
