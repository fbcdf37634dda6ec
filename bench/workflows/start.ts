import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startResolver } from "../../test/dns/stand-in.ts";
import { ADMIN_TOKEN } from "../ask.ts";
import type { Sink } from "../sending/start.ts";
import { startOnDisk } from "../start.ts";

/** A port without a server. */
const NOWHERE = 1;

/** Starts the email Worker. The mail provider is unreachable if `sink` is undefined. */
export const startWorkflows = async (sink: Sink | undefined) => {
  const dns = await startResolver();
  const worker = await startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: {
      ADMIN_TOKEN,
      API_KEY_SECRET: "bench-key-secret",
      DKIM_KEY_SECRET: "bench-dkim-secret",
      PUBLIC_URL: "https://mail.acme.example",
      DNS_OVER_HTTPS_URL: dns.url,
      MARKETING_SENDER: "smtp",
      SMTP_URL: `smtp://127.0.0.1:${sink?.port ?? NOWHERE}?tls=off`,
    },
    objects: { WORKSPACE: "Workspace", MAILER: "Mailer", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });
  const stop = async () => {
    await worker.stop();
    await dns.stop();
  };
  return { ...worker, dns, stop };
};
export type Running = Awaited<ReturnType<typeof startWorkflows>>;
