import type { DirectoryRpc } from "./types/directory.ts";
import type { InboxRpc } from "./types/inbox.ts";
import type { MailerRpc } from "./types/mailer.ts";
import type { NotifierRpc } from "./types/notifier.ts";
import type { WorkspaceRpc } from "./types/workspace.ts";

/** The part of a Durable Object namespace that this Worker uses: one object per name. */
export type Objects<Rpc> = { getByName(name: string): Rpc };

/** Bindings and variables of the email Worker; `wrangler.toml` describes them. */
export type Env = {
  WORKSPACE: Objects<WorkspaceRpc>;
  MAILER: Objects<MailerRpc>;
  NOTIFIER: Objects<NotifierRpc>;
  INBOX_STORE: Objects<InboxRpc>;
  DIRECTORY: Objects<DirectoryRpc>;
  /** Signs API keys. Without it every API key is refused. A new secret makes all existing keys invalid. */
  API_KEY_SECRET?: string;
  /** Former values of API_KEY_SECRET, separated by spaces: links and return paths that were made with them are still read. */
  FORMER_API_KEY_SECRETS?: string;
  /** Token for `/admin`. Without it every request there is refused. */
  ADMIN_TOKEN?: string;
  /** Domain of From addresses and Message-IDs. */
  MAIL_DOMAIN?: string;
  /** The address under which recipients reach this Worker, for pictures in mails: `https://mail.example.com`. */
  PUBLIC_URL?: string;
  /** "1": mail is captured in the local inbox, readable by anyone who can reach `/inbox`. */
  INBOX?: string;
  /** Sender of a class of mail: inbox, smtp, ses or cloudflare. Without one: the inbox where it is on, else none. */
  TRANSACTIONAL_SENDER?: string;
  MARKETING_SENDER?: string;
  /** Mailer objects of each team: for transactional mail, for marketing mail. "2,4" by default. */
  MAILERS?: string;
  /** Accounts of SMTP relays: a URL with user and password, or a JSON list. */
  SMTP_URL?: string;
  SES_REGION?: string;
  SES_ACCESS_KEY_ID?: string;
  SES_SECRET_ACCESS_KEY?: string;
  SES_CONFIGURATION_SET?: string;
  /** Secrets of the webhooks about bounces: `POST /bounces/{provider}`. */
  SES_TOPIC_ARN?: string;
  POSTMARK_WEBHOOK_SECRET?: string;
  SENDGRID_PUBLIC_KEY?: string;
  MAILGUN_WEBHOOK_SIGNING_KEY?: string;
  RESEND_WEBHOOK_SECRET?: string;
  /** What SPF must allow for SMTP relays: names to include, or mechanisms such as `ip4:192.0.2.1`. */
  SPF_INCLUDE?: string;
  /** Mail servers that get bounces of SMTP relays: `10 mx.example.com`, separated by commas. */
  BOUNCE_MX?: string;
  /** Encrypts the private DKIM keys. After a comma, former secrets, whose keys are still read. */
  DKIM_KEY_SECRET?: string;
  /** JSON API for DNS over HTTPS that checks the records of sending domains. */
  DNS_OVER_HTTPS_URL?: string;
  /** The `send_email` binding of Cloudflare Email Service. */
  EMAIL?: SendEmail;
  /** IP addresses that send only this host's mail: an array in wrangler.toml, or a text with commas. */
  DEDICATED_SENDING_IPS?: string | readonly string[];
  /** "1": outgoing webhooks may be posted to private addresses. For development only. */
  WEBHOOKS_ALLOW_PRIVATE?: string;
  /** The bucket of uploaded pictures. Without it uploads are refused. */
  UPLOADS?: R2Bucket;
  /** The files of the API reference (scripts/assets.ts). Without it there is no `/docs` and no `/openapi.json`. */
  ASSETS?: { fetch(request: Request): Promise<Response> };
};

/**
 * Used when MAIL_DOMAIN is not set. `.localhost` is reserved (RFC 6761 section 6.3): it can neither send nor receive
 * mail.
 */
export const LOCAL_MAIL_DOMAIN = "mailspan.localhost";

/**
 * PUBLIC_URL without a slash at its end; undefined if it is not set or unusable. It must be https, because mail clients
 * do not load pictures over http; a name of this machine may be http. It has no path, because the Worker serves from its root.
 */
export const publicUrlOf = ({ PUBLIC_URL = "" }: Env): string | undefined => {
  const url = URL.parse(PUBLIC_URL);
  if (url === null || url.href !== `${url.origin}/`) return undefined;
  const isLocal = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal) ? url.origin : undefined;
};

/** The present secret of DKIM keys and former ones; empty when none is set. */
export const dkimSecretsOf = ({ DKIM_KEY_SECRET = "" }: Env): readonly string[] =>
  DKIM_KEY_SECRET.split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");

/** Cloudflare's own resolver is the default. */
export const resolverOf = ({ DNS_OVER_HTTPS_URL }: Env): string =>
  DNS_OVER_HTTPS_URL?.trim() || "https://cloudflare-dns.com/dns-query";

/** The secrets that may have signed a return path or a link, the present one first. */
export const tokenSecretsOf = ({ API_KEY_SECRET = "", FORMER_API_KEY_SECRETS = "" }: Env): readonly string[] =>
  [API_KEY_SECRET, ...FORMER_API_KEY_SECRETS.split(/\s+/)].filter((secret) => secret !== "");

/** What cursors of counts are sealed with. Every request that gets one was allowed by the admin token, so that one of both is set. */
export const cursorSecretOf = ({ API_KEY_SECRET, ADMIN_TOKEN }: Env): string => API_KEY_SECRET || ADMIN_TOKEN || "";

/** True when the local inbox is on: its page, and the sender that fills it. */
export const inboxOn = (env: Env): boolean => env.INBOX === "1";

/** True where outgoing webhooks may be posted to private addresses. */
export const mayCallPrivate = (env: Env): boolean => env.WEBHOOKS_ALLOW_PRIVATE === "1";

/** The configured dedicated sending IP addresses, in order; none by default. */
export const sendingIpsOf = ({ DEDICATED_SENDING_IPS: ips = [] }: Env): readonly string[] =>
  (typeof ips === "string" ? ips.split(/[\s,]+/) : ips).filter((ip) => ip !== "");
