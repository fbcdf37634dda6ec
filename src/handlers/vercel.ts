import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type VercelEvent = {
  type: string;
  id: string;
  createdAt: number;
  region?: string | null;
  payload: {
    user?: { id: string };
    team?: { id: string };
    project?: { id: string };
    target?: "production" | "staging" | null;
    deployment?: { id: string; name: string; url: string; meta?: Readonly<Record<string, string>> };
    links?: { deployment: string; project: string };
  };
};

/**
 * Vercel: hex HMAC-SHA1 in `x-vercel-signature`.
 * @see https://vercel.com/docs/webhooks/webhooks-api
 */
export const vercel: Handler<VercelEvent> = {
  provider: "vercel",
  about: {
    title: "Vercel",
    secret: "VERCEL_WEBHOOK_SECRET",
    setUp: "Team Settings → Webhooks → secret, shown once",
    unconfirmed: true,
  },
  scheme: hmacOfBody("x-vercel-signature", { hash: "SHA-1" }),
  read: readEvent({ what: "a Vercel event", id: "id", type: "type", time: [["createdAt", "ms"]] }),
};
