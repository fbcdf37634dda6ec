import { defineSender } from "../definition.ts";
import { type Account, accountsFor, readAccounts } from "./accounts.ts";
import { LIMITS } from "./limits.ts";
import { createPool } from "./pool.ts";
import { smtpSender } from "./send.ts";
import { createSockets } from "./sockets.ts";

/** Cloudflare Email Routing passes bounces to the Worker: https://developers.cloudflare.com/email-routing/. */
const EMAIL_ROUTING = [1, 2, 3].map((n) => `${n}0 route${n}.mx.cloudflare.net`);

/** Secrets of the webhooks of mail providers that take mail by SMTP. */
const WEBHOOKS = [
  "POSTMARK_WEBHOOK_SECRET",
  "SENDGRID_PUBLIC_KEY",
  "MAILGUN_WEBHOOK_SIGNING_KEY",
  "RESEND_WEBHOOK_SECRET",
];

export const smtp = defineSender({
  name: "smtp",
  title: "SMTP",
  variables: {
    SMTP_URL: {
      help: "Address of the mail provider with user and password, or a JSON list of accounts",
      example: "smtps://user:password@host:465",
      secret: true,
      required: true,
      check: (value) => {
        const read = readAccounts(value);
        return "problem" in read ? read.problem : undefined;
      },
    },
    SPF_INCLUDE: {
      help: "Names that SPF includes, or mechanisms, separated by spaces",
      example: "_spf.example.net ip4:192.0.2.1",
    },
    BOUNCE_MX: {
      help: "Servers for bounces instead of Cloudflare Email Routing, by commas",
      example: "10 mx.example.com",
    },
  },
  read: ({ SMTP_URL, SPF_INCLUDE, BOUNCE_MX }, mailClass) => {
    const read = readAccounts(SMTP_URL);
    if ("problem" in read) return read;
    const accounts = read.accounts.filter(({ classes }) => !classes || classes.includes(mailClass));
    return accounts.length === 0
      ? { problem: `no account of SMTP_URL has the class ${mailClass}` }
      : { settings: { accounts, mechanisms: mechanismsOf(SPF_INCLUDE), mx: mxOf(BOUNCE_MX) } };
  },
  route: ({ accounts }, domain) => {
    if (domain !== undefined) return nameOf(accountsFor(accounts, domain)) || undefined;
    return accounts.some(({ domains }) => domains) ? undefined : nameOf(accounts);
  },
  envelope: ({ mechanisms, mx }) => (mechanisms.length === 0 ? undefined : { mechanisms, mx }),
  note: ({ mechanisms }) =>
    mechanisms.length === 0
      ? "SPF_INCLUDE is not set, so there are no records for bounces: mail has its From address as return path. Set it to the SPF name that the mail provider documents, if the mail provider lets you choose the return path."
      : undefined,
  feedback:
    "with `SPF_INCLUDE`, mails to the return path; with a mail provider that replaces it, its webhooks to `/bounces/{provider}`",
  unheard: ({ mechanisms }, env) =>
    mechanisms.length > 0 || WEBHOOKS.some((name) => env[name])
      ? undefined
      : `SPF_INCLUDE is not set, and no webhook of a mail provider either (${WEBHOOKS.join(", ")})`,
  create: ({ accounts }, { connect, timers }, mailClass) => {
    const sockets = createSockets(timers);
    const pools = accounts.map((account) => createPool(account, { connect, timers, limits: LIMITS }, sockets));
    return (domain) => ({ sender: smtpSender(pools, mailClass, domain) });
  },
});

const nameOf = (accounts: readonly Account[]): string => accounts.map(({ name }) => name).join(" or ");

const mechanismsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => (/[:=]/.test(word) ? word : `include:${word}`));

const mxOf = (text: string): string[] => {
  const named = text
    .toLowerCase()
    .split(",")
    .flatMap((entry) => {
      const [, preference = "10", host] = /^(?:(\d{1,5}) +)?([a-z0-9.-]+?)\.?$/.exec(entry.trim()) ?? [];
      return host === undefined ? [] : [`${preference} ${host}`];
    });
  return named.length > 0 ? named : EMAIL_ROUTING;
};
