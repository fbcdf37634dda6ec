import type { SenderVariables } from "./delivery/senders/sender-list.ts";
import type { DirectoryRpc } from "./types/directory-rpc.ts";
import type { InboxRpc } from "./types/inbox-rpc.ts";
import type { MailerRpc } from "./types/mailer-rpc.ts";
import type { NotifierRpc } from "./types/notifier-rpc.ts";
import type { WorkspaceRpc } from "./types/workspace-rpc.ts";

type Objects<Rpc> = { getByName(name: string): Rpc };

/** Bindings of the email Worker; `wrangler.toml` describes them. */
export type Env = SenderVariables & {
  WORKSPACE: Objects<WorkspaceRpc>;
  MAILER: Objects<MailerRpc>;
  NOTIFIER: Objects<NotifierRpc>;
  INBOX_STORE: Objects<InboxRpc>;
  DIRECTORY: Objects<DirectoryRpc>;
  /** Signs API keys; without it all are refused. A new secret invalidates existing keys. */
  API_KEY_SECRET?: string;
  /** Former secrets, space-separated; old links and return paths stay readable. */
  FORMER_API_KEY_SECRETS?: string;
  /** Token for `/admin`; without it all requests are refused. */
  ADMIN_TOKEN?: string;
  /** Domain of From addresses and Message-IDs. */
  MAIL_DOMAIN?: string;
  /** Public Worker URL for images in mails: `https://mail.example.com`. */
  PUBLIC_URL?: string;
  /** Address of the dashboard, for links of the local inbox and of notices: `npm start` sets it. */
  DASHBOARD_URL?: string;
  /** Name of a sender in `delivery/senders/list.ts`. Default: the inbox if enabled, else none. */
  TRANSACTIONAL_SENDER?: string;
  MARKETING_SENDER?: string;
  /** Mailer objects per team, transactional and marketing. Default "2,4". */
  MAILERS?: string;
  /** Cloudflare plan of the account, free or paid. Default "paid". */
  PLAN?: string;
  /** Rows that the account may write on a UTC day. Default: 100000 with PLAN free, else none. */
  DAY_ROWS?: string | number;
  /** Bound of a team's database in MB; default and largest 10000. See `workspace/core/size.ts`. */
  MAX_TEAM_MB?: string | number;
  /** Webhook secrets for `POST /bounces/{provider}`. */
  SES_TOPIC_ARN?: string;
  POSTMARK_WEBHOOK_SECRET?: string;
  SENDGRID_PUBLIC_KEY?: string;
  MAILGUN_WEBHOOK_SIGNING_KEY?: string;
  RESEND_WEBHOOK_SECRET?: string;
  /** Encrypts private DKIM keys. Former secrets follow after commas. */
  DKIM_KEY_SECRET?: string;
  DNS_OVER_HTTPS_URL?: string;
  /** Address of the notices of alerts, and the secret that signs them (whsec_<base64>). Default: the log only. */
  ALERT_WEBHOOK_URL?: string;
  ALERT_WEBHOOK_SECRET?: string;
  EMAIL?: SendEmail;
  /** Queue of the delivery events of Cloudflare Email Service, which this Worker consumes. */
  EMAIL_EVENTS?: Queue;
  /** Dedicated IP addresses: an array in wrangler.toml, or comma-separated text. */
  DEDICATED_SENDING_IPS?: string | readonly string[];
  /** "1" permits webhooks to private addresses, for development only. */
  WEBHOOKS_ALLOW_PRIVATE?: string;
  /** Way to the public internet only, where `fetch` also reaches private networks: `npm start` binds it. */
  PUBLIC_NETWORK?: { fetch(url: string, init: RequestInit): Promise<Response> };
  /** Upload bucket; without it uploads are refused. */
  UPLOADS?: R2Bucket;
  /** API reference files; without them `/docs` and `/openapi.json` are missing. */
  ASSETS?: { fetch(request: Request): Promise<Response> };
};

/** Default of MAIL_DOMAIN. `.localhost` is reserved (RFC 6761 section 6.3) and cannot exchange mail. */
export const LOCAL_MAIL_DOMAIN = "mailspan.localhost";

export const dkimSecretsOf = ({ DKIM_KEY_SECRET = "" }: Env): readonly string[] =>
  DKIM_KEY_SECRET.split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");

export const resolverOf = ({ DNS_OVER_HTTPS_URL }: Env): string =>
  DNS_OVER_HTTPS_URL?.trim() || "https://cloudflare-dns.com/dns-query";

export const tokenSecretsOf = ({ API_KEY_SECRET = "", FORMER_API_KEY_SECRETS = "" }: Env): readonly string[] =>
  [API_KEY_SECRET, ...FORMER_API_KEY_SECRETS.split(/\s+/)].filter((secret) => secret !== "");

/** Secrets that seal those of outgoing webhooks, the first for new ones. */
export const webhookSecretsOf = (env: Env): readonly string[] => [
  ...tokenSecretsOf(env),
  ...(env.ADMIN_TOKEN ? [env.ADMIN_TOKEN] : []),
];

/** Returns the secret for count cursors. One of both exists, because the admin token authorized the request. */
export const cursorSecretOf = ({ API_KEY_SECRET, ADMIN_TOKEN }: Env): string => API_KEY_SECRET || ADMIN_TOKEN || "";

export const mayCallPrivate = (env: Env): boolean => env.WEBHOOKS_ALLOW_PRIVATE === "1";

export const sendingIpsOf = ({ DEDICATED_SENDING_IPS: ips = [] }: Env): readonly string[] =>
  (typeof ips === "string" ? ips.split(/[\s,]+/) : ips).filter((ip) => ip !== "");
