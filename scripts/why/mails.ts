import { NoAnswer } from "../lib/bridge.ts";
import { askEmailService, type EmailService } from "../lib/email-service.ts";
import type { Delivery, Mail, Mails, Webhook } from "./found.ts";

const MOST = 20;

export const isSend = (text: string): boolean => /^snd_[0-9a-z_]+$/.test(text);

/** Undefined for other deliveries and other email services. */
export const sendOf = ({ action, result }: Delivery): string | undefined =>
  action === "transactional" && result !== undefined && isSend(result) ? result : undefined;

export const askMail = (service: EmailService, id: string): Promise<Mail> =>
  askEmailService(service, "GET", `/sends/${id}`);

/**
 * Finds mails of these webhooks, and of `email` since then.
 * @param since 7d, 12h, 30m or a time
 */
export const askMails = async (
  service: EmailService,
  { webhooks, email, since }: { webhooks: readonly Webhook[]; email: string | undefined; since: string },
): Promise<Mails> => {
  try {
    const caused = webhooks
      .filter(({ onlyNamed }) => !onlyNamed)
      .flatMap(({ deliveries }) => deliveries.flatMap((delivery) => sendOf(delivery) ?? []));
    const others = email === undefined ? [] : await search(service, email, since);
    const ids = [...new Set([...others, ...caused])].slice(0, MOST);
    const mails = await Promise.all(ids.map((id) => find(service, id)));
    return mails
      .flatMap((mail) => mail ?? [])
      .sort((a, b) => (a.acceptedAt < b.acceptedAt ? 1 : a.acceptedAt > b.acceptedAt ? -1 : 0));
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
};

const search = async (service: EmailService, email: string, since: string): Promise<string[]> => {
  const query = new URLSearchParams({ to: email, since: timeOf(since), perPage: String(MOST) });
  const { data } = await askEmailService<{ data: { id: string }[] }>(service, "GET", `/sends?${query}`);
  return data.map(({ id }) => id);
};

/** The email service keeps a mail for 30 days. */
const find = async (service: EmailService, id: string): Promise<Mail | undefined> => {
  try {
    return await askMail(service, id);
  } catch (error) {
    if (error instanceof NoAnswer && error.code === "send_not_found") return undefined;
    throw error;
  }
};

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** The bridge takes a duration; the email service takes a time. */
const timeOf = (since: string): string => {
  const [, many, unit = ""] = /^(\d+)([dhm])$/.exec(since) ?? [];
  return many === undefined ? since : new Date(Date.now() - Number(many) * (UNITS[unit] ?? 0)).toISOString();
};
