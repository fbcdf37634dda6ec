import { hmacOfBody, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { parse } from "../lib/webhook/parse.ts";
import { object } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Slack event";

/** An event, a command (`command./name`) or an interaction. Only a profile has an email address. */
export type SlackEvent = {
  type: string;
  team_id?: string;
  event_id?: string;
  event_time?: number;
  event?: {
    type: string;
    user?: string | { id: string; real_name?: string; is_bot?: boolean; profile?: { email?: string } };
  };
  command?: string;
  text?: string;
  user_id?: string;
  user_name?: string;
};

const readCallback = readEvent<SlackEvent>({
  what: WHAT,
  id: "event_id",
  type: "event.type",
  time: [["event_time", "s"]],
});
const readForm = readEvent<SlackEvent>({ what: WHAT, id: "trigger_id", type: "type", otherwise: "unknown" });

/**
 * Slack: `X-Slack-Signature: v0=<hex>`, an HMAC-SHA256 of `v0:<time>:<body>`. Commands and interactions are forms.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export const slack: Handler<SlackEvent> = {
  provider: "slack",
  about: { title: "Slack", secret: "SLACK_SIGNING_SECRET", setUp: "the app’s Basic Information → Signing Secret" },
  scheme: hmacOfBody("X-Slack-Signature", {
    prefix: "v0=",
    content: ["v0:{timestamp}:{body}"],
    timestamp: { at: { header: "X-Slack-Request-Timestamp" }, unit: "s", tolerance: TOLERANCE_S },
  }),
  format: "json or form",
  endpointCheck: {
    method: "POST",
    answer: async (_request, _secrets, content) => {
      const { type, challenge } = object(content, WHAT);
      return type === "url_verification" && typeof challenge === "string"
        ? { status: 200, body: challenge, type: "text/plain" }
        : undefined;
    },
  },
  accepted: { status: 200, body: "", type: "text/plain" },
  secretPaths: ["token", "response_url"],
  read: async (request, content, now) => {
    const body = object(content, WHAT);
    if (body.type === "event_callback") return readCallback(request, body, now);
    if (typeof body.payload === "string") return readForm(request, parse(body.payload) ?? body, now);
    return readForm(
      request,
      typeof body.command === "string" ? { ...body, type: `command.${body.command}` } : body,
      now,
    );
  },
};
