import { senders } from "../../src/email/delivery/senders/sender-list.ts";

/** Variables of both Workers. */
export const SHARED: readonly string[] = ["ADMIN_TOKEN", "ALERT_WEBHOOK_URL", "ALERT_WEBHOOK_SECRET"];

/** Variables that only the email service reads. */
export const EMAIL_ONLY: readonly string[] = [
  "API_KEY_SECRET",
  "FORMER_API_KEY_SECRETS",
  "MAIL_DOMAIN",
  "PUBLIC_URL",
  "DEDICATED_SENDING_IPS",
  "DASHBOARD_URL",
  "WEBHOOKS_ALLOW_PRIVATE",
  "TRANSACTIONAL_SENDER",
  "MARKETING_SENDER",
  "MAILERS",
  "PLAN",
  "DAY_ROWS",
  "MAX_TEAM_MB",
  "SES_TOPIC_ARN",
  "POSTMARK_WEBHOOK_SECRET",
  "SENDGRID_PUBLIC_KEY",
  "MAILGUN_WEBHOOK_SIGNING_KEY",
  "RESEND_WEBHOOK_SECRET",
  "DKIM_KEY_SECRET",
  "DNS_OVER_HTTPS_URL",
  ...senders.flatMap(({ variables }) => Object.keys(variables)),
];
