import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The body rarely contains an email address. */
type GithubEvent = {
  type: string;
  action?: string;
  sender?: { id: number; login: string };
  repository?: { id: number; full_name: string };
  organization?: { id: number; login: string };
  sponsorship?: {
    created_at: string;
    privacy_level: "public" | "private";
    sponsor: { id: number; login: string; type?: string } | null;
    tier: { name: string; monthly_price_in_dollars: number; is_one_time: boolean };
  };
  release?: {
    id: number;
    tag_name: string;
    name: string | null;
    html_url: string;
    draft: boolean;
    prerelease: boolean;
  };
};

/**
 * GitHub: `X-Hub-Signature-256: sha256=<hex>`. The event type is name and action, such as `issues.opened`.
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export const github: Handler<GithubEvent> = {
  provider: "github",
  about: { title: "GitHub", secret: "GITHUB_WEBHOOK_SECRET", setUp: "Settings → Webhooks → Secret: yours to choose" },
  scheme: hmacOfBody("X-Hub-Signature-256", { prefix: "sha256=" }),
  freeSecret: true,
  read: readEvent({
    what: "a GitHub event",
    unsignedId: { header: "X-GitHub-Delivery" },
    type: [{ header: "X-GitHub-Event" }, "action"],
    test: ({ zen }) => typeof zen === "string",
  }),
};
