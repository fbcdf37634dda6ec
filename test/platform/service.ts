import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { workerOptions } from "../../scripts/workers.ts";
import { startResolver, type Zone } from "../dns/stand-in.ts";
import { type Behavior, createMailProvider } from "../mail-provider/relay.ts";
import { listen } from "../mail-provider/tcp.ts";
import { secrets } from "../system/mailspan.ts";
import type { Counts, Rules } from "./inside/rules.ts";
import { simulated } from "./simulated.ts";

export type Sending = "smtp" | "ses";

const SENDERS: Record<Sending, Record<string, string>> = {
  smtp: {},
  ses: { SES_REGION: "eu-west-1", SES_ACCESS_KEY_ID: "AKIATEST", SES_SECRET_ACCESS_KEY: "test-ses-secret" },
};

const SES_ZONE: Zone = { "TXT amazonses.com": ["v=spf1 ip4:199.255.192.0/22 -all"] };

/** The email Worker on the simulated platform, with an SMTP server. `delay`: ms until that server has a mail. */
export const startEmail = async ({ sending = "smtp" as Sending, delay = 0, vars = {} } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "mailspan-platform-"));
  const dns = await startResolver();
  const behavior: Behavior = { delay };
  const { serve, seen } = createMailProvider(behavior);
  const mailProvider = await listen(serve);
  const worker = workerOptions(
    await simulated("email"),
    {
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
    0,
  );
  const options = convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers: [worker] });
  const logs: string[] = [];
  const miniflare = new Miniflare(
    Object.assign(options, {
      resourcePersistencePath: folder,
      logRequests: false,
      handleStructuredLogs: ({ message }: { message: string }) => logs.push(message),
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL(worker.name);
  const ask = async (rules?: Rules): Promise<Counts> => {
    const request = rules && { method: "POST", body: JSON.stringify(rules) };
    return (await (await fetch(`${origin}/__platform`, request)).json()) as Counts;
  };
  return {
    url: () => origin,
    seen,
    behavior,
    dns: { ...dns, serve: (zone: Zone) => dns.serve({ ...zone, ...SES_ZONE }) },
    logs,
    rules: (rules: Rules) => ask(rules),
    counts: () => ask(),
    /** One event of the cron. */
    cron: () => fetch(`${origin}/__platform/cron`, { method: "POST" }),
    /** Resets one object alone. */
    die: (binding: string, name: string) =>
      fetch(`${origin}/__platform/die?binding=${binding}&name=${encodeURIComponent(name)}`, { method: "POST" }),
    stop: async () => {
      await miniflare.dispose();
      mailProvider.stop();
      await dns.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type EmailService = Awaited<ReturnType<typeof startEmail>>;
