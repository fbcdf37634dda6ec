import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** An event, such as `deployment.created`. */
type VercelEvent = {
  type: string;
  id: string;
  createdAt: number;
  region?: string | null;
  payload: {
    user?: { id: string };
    team?: { id: string };
    project?: { id: string };
    /** Of `deployment.*`. `target` is null for a preview. */
    target?: "production" | "staging" | null;
    deployment?: { id: string; name: string; url: string; meta?: Readonly<Record<string, string>> };
    links?: { deployment: string; project: string };
  };
};

/**
 * Vercel: `x-vercel-signature`, an HMAC-SHA1 of the body in hex.
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
