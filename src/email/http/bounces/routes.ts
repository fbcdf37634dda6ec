import { Hono } from "hono";
import { readStranger } from "../../../lib/contract/body.ts";
import { confirmSubscription } from "../../../lib/signature/kinds/sns.ts";
import { mailgunScheme, resendScheme, sendGridScheme } from "../../../lib/signature/providers.ts";
import type { Scheme, SignatureRefusal, VerifyContext } from "../../../lib/signature/scheme.ts";
import { sharedSecret } from "../../../lib/signature/schemes.ts";
import { secretsIn } from "../../../lib/signature/secrets.ts";
import { verifyWith } from "../../../lib/signature/verify.ts";
import { log } from "../../../lib/util/log.ts";
import { parse } from "../../../lib/webhook/parse.ts";
import { type Env, tokenSecretsOf } from "../../env.ts";
import type { ProviderEvent } from "../../mail/bounces/providers/event.ts";
import { readMailgun } from "../../mail/bounces/providers/mailgun.ts";
import { readPostmark } from "../../mail/bounces/providers/postmark.ts";
import { readResend } from "../../mail/bounces/providers/resend.ts";
import { readSendGrid } from "../../mail/bounces/providers/sendgrid.ts";
import { readSes } from "../../mail/bounces/providers/ses.ts";
import { readToken } from "../../mail/bounces/return-path-token.ts";
import { handOutToAll, MOST_TEAMS } from "../../notifier/hand-out.ts";
import type { SendFeedback, Via } from "../../types/feedback.ts";

/** Bytes; SendGrid sends the largest webhooks. */
const MAX_WEBHOOK = 1_000_000;
const TIMEOUT_MS = 5_000;

type Provider = {
  scheme: Scheme;
  secret: keyof Env;
  free?: true;
  read(content: unknown): ProviderEvent[];
};

type Webhook = Exclude<Via, "mail" | "cloudflare">;

const PROVIDERS: Readonly<Record<Webhook, Provider>> = {
  ses: { scheme: { kind: "sns" }, secret: "SES_TOPIC_ARN", read: readSes },
  postmark: { scheme: sharedSecret, secret: "POSTMARK_WEBHOOK_SECRET", free: true, read: readPostmark },
  sendgrid: { scheme: sendGridScheme, secret: "SENDGRID_PUBLIC_KEY", read: readSendGrid },
  mailgun: { scheme: mailgunScheme, secret: "MAILGUN_WEBHOOK_SIGNING_KEY", read: readMailgun },
  resend: { scheme: resendScheme, secret: "RESEND_WEBHOOK_SECRET", read: readResend },
};

export type BouncesDependencies = { now(): number; fetch(url: string): Promise<Response> };

const real: BouncesDependencies = {
  now: () => Date.now(),
  // A redirect could leave the permitted host.
  fetch: (url) => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }),
};

const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, code, message }, { status, headers });

const refuseSignature = ({ code, message }: SignatureRefusal, { secret }: Provider): Response => {
  if (code === "source_not_configured") return refuse(503, code, `${message} Set ${secret}.`);
  return code === "key_unavailable" ? refuse(503, code, message, { "Retry-After": "5" }) : refuse(401, code, message);
};

/**
 * `POST /bounces/{provider}`: webhooks of mail providers. Events without a valid token change nothing; repeats are
 * idempotent.
 */
export const bounceRoutes = (env: Env, { now, fetch }: BouncesDependencies = real): Hono => {
  const app = new Hono();
  const cache: VerifyContext["cache"] = new Map();
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  const receive = async (request: Request, via: Webhook): Promise<Response> => {
    const provider = PROVIDERS[via];
    const raw = await readStranger(request, MAX_WEBHOOK);
    if (raw === undefined) return refuse(413, "body_too_large", `The body is larger than ${MAX_WEBHOOK} bytes.`);
    const { method, url, headers } = request;
    const secrets = secretsIn(String(env[provider.secret] ?? ""), provider.free ?? false);
    const context: VerifyContext = { fetch, cache, sleep };
    const refusal = await verifyWith(provider.scheme, { method, url, headers, raw }, secrets, now(), context);
    if (refusal) {
      log("bounce_refused", { provider: via, code: refusal.code });
      return refuseSignature(refusal, provider);
    }
    const content = parse(raw);
    if (content === undefined) return refuse(400, "invalid_json", "The signature is valid, but the body is not JSON.");
    if (via === "ses" && (await confirmSubscription(content, fetch)) === false)
      return refuse(503, "subscription_not_confirmed", "SubscribeURL could not be visited. Send it again.");
    const recorded = await record(env, via, provider.read(content));
    if (recorded) return Response.json({ success: true, ...recorded });
    return refuse(
      413,
      "body_too_large",
      `The webhook is for more than ${MOST_TEAMS} teams. Send fewer events at once.`,
    );
  };

  app.all("/bounces/:provider", (c) => {
    const via = c.req.param("provider");
    if (!Object.hasOwn(PROVIDERS, via)) {
      const message = `There is no provider of this name: use ${Object.keys(PROVIDERS).join(", ")}.`;
      return refuse(404, "not_found", message);
    }
    if (c.req.method !== "POST")
      return refuse(405, "method_not_allowed", `${c.req.method} is not allowed here; use POST.`, { Allow: "POST" });
    return receive(c.req.raw, via as Webhook);
  });
  return app;
};

const record = async (
  env: Env,
  via: Via,
  events: readonly ProviderEvent[],
): Promise<{ recorded: number; unknown: number } | undefined> => {
  const teams = new Map<string, SendFeedback[]>();
  const secrets = tokenSecretsOf(env);
  for (const { token, feedback } of events) {
    const send = token === undefined ? undefined : await readToken(token, secrets);
    if (send) teams.set(send.team, [...(teams.get(send.team) ?? []), { n: send.n, feedback: [feedback] }]);
  }
  if (teams.size > MOST_TEAMS) return undefined;
  const recorded = await handOutToAll(env, via, [...teams]);
  const unknown = events.length - recorded;
  log("bounce_webhook", { provider: via, recorded, unknown });
  return { recorded, unknown };
};
