import { type ProblemKind, problemKinds } from "../../lib/contract/admin/bridge/attention.ts";
import { isoOrNull } from "../../lib/util/dates.ts";
import { configOf, whyNotSet } from "../../outbox/model/config.ts";
import type { Problem } from "../../outbox/model/problem.ts";
import { reasons } from "../../outbox/model/reasons.ts";
import type { Cause } from "../../outbox/operator/attention.ts";
import { type Change, type Named, refusalChange, refusalCure } from "../../outbox/operator/refusal-cures.ts";
import type { Caller, Sources } from "./handler.ts";

/** Space between the weights of two kinds, for the actions of deliveries. */
const STEP = 10;
const ACTIONS = ["contact", "event", "delete", "transactional", "fetch"];

const weightOf = (kind: ProblemKind): number => (problemKinds.length - problemKinds.indexOf(kind)) * STEP;

/** Formats a problem with what a person does about it. */
export const problemOf = (problem: Problem, caller: Caller) => {
  const { kind, message, cause = kind, source = null, count = null, since = null, last = null } = problem;
  const times = { since: isoOrNull(since), last: isoOrNull(last) };
  return { kind, cause, message, cure: cureOf(problem, caller), weight: weightOf(kind), source, count, ...times };
};

/** Returns the weight and the cure of deliveries with one cause. */
export const ofCause = (cause: Cause, named: Named): { weight: number; cure: string; change?: Change } => {
  const change = refusalChange(cause, named);
  return {
    weight: weightOf("deliveries") + ACTIONS.indexOf(cause.action),
    cure: causeCure(cause, named),
    ...(change ? { change } : {}),
  };
};

/** Reads the names of the settings. */
export const namedIn = ({ env }: Caller): Named => {
  const { templates, lists } = configOf(env);
  return { templates, lists };
};

const causeCure = (cause: Cause, named: Named): string => {
  const { message, state, action } = cause;
  const known = refusalCure(cause, named);
  if (known !== undefined) return known;
  if (message.startsWith(reasons.expired))
    return "Expired mail is never sent: let the person ask for a new one, and discard the delivery.";
  if (message.startsWith(reasons.unknownOutcome))
    return action === "contact" || action === "delete"
      ? "It may safely be made twice: retry."
      : "Look at the email service if it was made. If it was, discard the delivery; if not, send it again.";
  if (action === "fetch")
    return "Set a key that may read the provider's events and objects, then retry. Stripe keeps events for 30 days.";
  if (state === "undecided")
    return "Let the provider send a webhook that has the address, or set the key with which the bridge asks the provider (npm run sources), then retry.";
  return "If the rule gave a wrong value, change the rule and replay the webhook. If the cause was at the email service, remove it and retry.";
};

const cureOf = (problem: Problem, { env, sources }: Caller): string => {
  if (problem.kind === "refusing") return refusingCure(problem, sources);
  if (problem.kind === "blocked") return whyNotSet(env) ? NOT_SET : CURES.blocked;
  return CURES[problem.kind];
};

const NOT_SET =
  "Set EMAIL_API_KEY, and EMAIL_API_URL for an email service of another deployment, with npx wrangler secret put. Delivery then goes on by itself.";

const CURES: Readonly<Record<Exclude<ProblemKind, "refusing">, string>> = {
  storage:
    "Free the disk, or see the Durable Objects in Cloudflare's dashboard. Providers send the refused webhooks again.",
  admin_token: "Set a longer ADMIN_TOKEN on all Workers: openssl rand -hex 32 | npx wrangler secret put ADMIN_TOKEN.",
  outage:
    "See that the email service runs, and that EMAIL_API_URL, if set, is its address. Delivery goes on by itself.",
  blocked:
    "The email service refuses EMAIL_API_KEY: it was revoked, or is another team's. Make a key there, and set it with npx wrangler secret put EMAIL_API_KEY (local: in .dev.vars). Delivery then goes on by itself.",
  full: "Resume the source, or remove what keeps its deliveries waiting. The provider sends refused webhooks again.",
  stalled:
    "GET /health?deep=1 sets a lost alarm again. If it goes on, deploy once more, which starts the object again.",
  deliveries: "See the causes: each has a cure. Then retry or discard its deliveries.",
  late: "Nothing, while the backlog gets smaller: see when it is done. Else see the other entries.",
  journal: "Set MAX_JOURNAL_MB higher, 9000 at most, or retry and discard what is open.",
  foreign_answers: "Check EMAIL_API_URL, and the rules of the firewall or proxy in front of the email service.",
  backoff: "Nothing: deliveries go on by themselves. If it comes often, other programs use the team's rate limit too.",
  nearly_full: "Resume the source, or remove what keeps its deliveries waiting.",
  thin_events:
    "Set a key that may read the provider's events and objects, with npx wrangler secret put (local: in .dev.vars). The data is then fetched by itself.",
  fetch_back: "Check the key of the provider's API and its permissions, and set it with npx wrangler secret put.",
  alerts: "Check ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET.",
  paused: "Resume delivery when the reason of the pause is over: npm run act -- resume.",
};

const refusingCure = ({ source = "", cause = "" }: Problem, sources: Sources): string => {
  const variable = (Object.hasOwn(sources, source) ? sources[source]?.secret : undefined) ?? "the secret of the source";
  const set = `npx wrangler secret put ${variable} (local: ${variable} in .dev.vars)`;
  switch (cause) {
    case "invalid_signature":
    case "source_not_configured":
      return `Copy the signing secret of this endpoint from the provider: ${set}. Then let the provider send the webhooks again.`;
    case "missing_signature":
      return `Give the endpoint a signing secret at the provider, and set it here: ${set}.`;
    case "stale_timestamp":
      return "Let the provider send the webhooks again. If it always sends late, raise the tolerance of the source in src/sources.ts.";
    case "key_unavailable":
      return "The provider's server of public keys gives no answer. It is asked again with the next webhook.";
    case "body_too_large":
      return "Let the provider send smaller webhooks: 1 MB at most.";
    case "no_mail":
      return "Add a rule with `transactional` for the type of this webhook (docs/rules.md), and deploy, or switch this mail off at the provider. It was not sent: let the person ask again.";
    default:
      return `The signature is right, and the body is not of this provider: check that its webhooks go to /hooks/${source}, as JSON and of a supported version.`;
  }
};
