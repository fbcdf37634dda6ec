import { startResolver, type Zone } from "../dns/stand-in.ts";
import { type Behavior, createMailProvider } from "../mail-provider/relay.ts";
import { listen } from "../mail-provider/tcp.ts";
import { secrets } from "../system/mailspan.ts";
import type { Rules } from "./inside/rules.ts";
import { startSimulated } from "./simulated.ts";

export type Sending = "smtp" | "ses";

const SENDERS: Record<Sending, Record<string, string>> = {
  smtp: {},
  ses: { SES_REGION: "eu-west-1", SES_ACCESS_KEY_ID: "AKIATEST", SES_SECRET_ACCESS_KEY: "test-ses-secret" },
};

const SES_ZONE: Zone = { "TXT amazonses.com": ["v=spf1 ip4:199.255.192.0/22 -all"] };

/** The email Worker on the simulated platform, with an SMTP server. `delay`: ms until that server has a mail. */
export const startEmail = async ({ sending = "smtp" as Sending, delay = 0, vars = {} } = {}) => {
  const dns = await startResolver();
  const behavior: Behavior = { delay };
  const { serve, seen } = createMailProvider(behavior);
  const mailProvider = await listen(serve);
  const platform = await startSimulated({
    email: {
      ADMIN_TOKEN: secrets.ADMIN_TOKEN,
      API_KEY_SECRET: "platform-key-secret",
      DKIM_KEY_SECRET: "platform-dkim-secret",
      TRANSACTIONAL_SENDER: sending,
      MARKETING_SENDER: sending,
      PUBLIC_URL: "https://mail.acme.example",
      SMTP_URL: `smtp://127.0.0.1:${mailProvider.port}?tls=off`,
      DNS_OVER_HTTPS_URL: dns.url,
      PLAN: "free",
      ...SENDERS[sending],
      ...vars,
    },
  });
  return {
    url: () => platform.url("email"),
    seen,
    behavior,
    dns: { ...dns, serve: (zone: Zone) => dns.serve({ ...zone, ...SES_ZONE }) },
    logs: platform.logs,
    rules: (rules: Rules) => platform.rules("email", rules),
    counts: () => platform.counts("email"),
    /** One event of the cron. */
    cron: () => platform.cron("email"),
    /** Resets one object alone. */
    die: (binding: string, name: string) => platform.die("email", binding, name),
    stop: async () => {
      await platform.stop();
      mailProvider.stop();
      await dns.stop();
    },
  };
};
export type EmailService = Awaited<ReturnType<typeof startEmail>>;
