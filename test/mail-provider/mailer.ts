import { bundle, modulesOf } from "../../scripts/bundle.ts";
import type { Handover } from "../../src/email/types/mail-handover.ts";
import { CA_FILE } from "./tcp.ts";
import type { Order } from "./worker.ts";

/** The SMTP sender in a real workerd, over real sockets. */
export const startMailer = async () => {
  // Miniflare reads it when it is loaded.
  process.env.NODE_EXTRA_CA_CERTS = CA_FILE;
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const miniflare = new Miniflare(
    Object.assign(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        workers: [
          {
            name: "mailer",
            modules: modulesOf(await bundle(`${import.meta.dirname}/worker.ts`)),
            compatibilityDate: "2026-10-20",
            durableObjects: { MAILER: { className: "Mailer" } },
          },
        ],
      }),
      { logRequests: false },
    ),
  );
  const url = await miniflare.ready;
  return {
    async send(order: Order): Promise<{ handovers: Handover[]; ms: number }> {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(order) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { handovers: Handover[]; ms: number };
    },
    stop: () => miniflare.dispose(),
  };
};
