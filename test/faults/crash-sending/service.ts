import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../../scripts/bundle.ts";
import { loadWorker, workerOptions } from "../../../scripts/workers.ts";
import { startResolver } from "../../dns/stand-in.ts";
import { type Behavior, createMailProvider, type Received } from "../../mail-provider/relay.ts";
import { listen } from "../../mail-provider/tcp.ts";
import { secrets } from "../../system/mailspan.ts";
import { startProcess } from "../torture/processes.ts";
import type { Step } from "./reach.ts";

const CONFIG = "src/email/wrangler.toml";
const here = (file: string): string => join(import.meta.dirname, file);

const startMailProvider = async () => {
  const behavior: Behavior = {};
  const { serve, seen } = createMailProvider(behavior);
  const { port, stop } = await listen(serve);
  return { port, seen, stop, behavior };
};

type MailProvider = { port: number; seen: { mails: Received[] }; stop(): void };

/** The email Worker in a process that can be killed and restarted on the same state. Its SMTP server outlives it. */
export const startService = async () => {
  const mailProvider = await startMailProvider();
  const { seen, behavior } = mailProvider;
  return { ...(await startServiceWith(mailProvider)), seen, behavior };
};

/** The same with any other SMTP server. */
export const startServiceWith = async (mailProvider: MailProvider) => {
  const folder = await mkdtemp(join(tmpdir(), "mailspan-crash-"));
  const dns = await startResolver();
  let fatal: { step: Step; left: number } | undefined;
  let died = (): void => {};

  const steps = createServer((request, response) => {
    if (fatal && request.url === `/${fatal.step}` && --fatal.left === 0) void kill();
    else response.end();
  });
  await new Promise<void>((resolve) => steps.listen(0, "127.0.0.1", resolve));

  const config = await loadWorker(CONFIG);
  const script = await bundle(here("worker.ts"), {
    "../delivery/mailer/note.ts": here("notes.ts"),
    "./claims.ts": here("claims.ts"),
    "./snapshot.ts": here("../crash-campaigns/snapshot.ts"),
    "./claim-recipients.ts": here("../crash-campaigns/claim-recipients.ts"),
    "./cancel-or-retry.ts": here("../crash-campaigns/cancel-or-retry.ts"),
  });
  const vars = {
    ADMIN_TOKEN: secrets.ADMIN_TOKEN,
    API_KEY_SECRET: "crash-key-secret",
    DKIM_KEY_SECRET: "crash-dkim-secret",
    TRANSACTIONAL_SENDER: "smtp",
    MARKETING_SENDER: "smtp",
    PUBLIC_URL: "https://mail.acme.example",
    SMTP_URL: `smtp://127.0.0.1:${mailProvider.port}?tls=off`,
    DNS_OVER_HTTPS_URL: dns.url,
    STEPS_URL: `http://127.0.0.1:${(steps.address() as AddressInfo).port}`,
  };
  const options = join(folder, "worker.json");
  const worker = workerOptions({ ...config, script }, vars, 0);
  await writeFile(options, JSON.stringify({ worker, state: join(folder, "state") }));
  const running = await startProcess(options);

  const kill = async (): Promise<void> => {
    fatal = undefined;
    await running.kill();
    died();
  };
  return {
    seen: mailProvider.seen,
    dns,
    url: () => running.url() ?? "",
    kill,
    start: () => running.start(options),
    killAt: (step: Step, times = 1): void => {
      fatal = { step, left: times };
    },
    death: () => new Promise<void>((resolve) => (died = resolve)),
    stop: async () => {
      await running.kill();
      mailProvider.stop();
      steps.closeAllConnections();
      steps.close();
      await dns.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type Service = Awaited<ReturnType<typeof startServiceWith>>;
