import { shownAlerts } from "../../../lib/alerts/shown-alerts.ts";
import { shownAudit } from "../../../lib/audit/entries.ts";
import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { ErasedAtService } from "../../../lib/contract/admin/erased.ts";
import { operationsByName } from "../../../lib/contract/match.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import { timeIn } from "../../../lib/util/dates.ts";
import { digest, toBase64 } from "../../../lib/util/hmac.ts";
import { log } from "../../../lib/util/log.ts";
import { METRICS_TYPE } from "../../../lib/util/prometheus.ts";
import { mayCallPrivate, webhookSecretsOf } from "../../env.ts";
import { OF_REPORTS, reportAddress, tokenOf } from "../../mail/bounces/return-path-token.ts";
import { readDomainName } from "../../mail/dns/name.ts";
import { envelopeDomain } from "../../mail/dns/records.ts";
import { addressProblem } from "../../notifier/address.ts";
import { sealSecret } from "../../notifier/secrets.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";
import { INBOX_NAME } from "../../types/inbox-rpc.ts";
import type { AdminRequest } from "../../types/workspace-rpc.ts";
import { newDkimKey } from "../dkim-keys.ts";
import { makeDomainLink } from "../domains/link.ts";
import { metricsNow } from "../monitor/metrics.ts";
import { newKey } from "../signed-key.ts";
import { aboutNow } from "./about-service.ts";
import { type Caller, inTeam, type WorkerHandlers } from "./in-team.ts";
import { adminRoutes } from "./routes.ts";

const operations = operationsByName(adminRoutes);

type Handler = (caller: Caller, input: Record<string, unknown>) => Promise<Reply>;

/** Answers an operation by its handler here, or in the object of the team that the request names. */
export const runAdmin = async (caller: Caller, operation: string, input: Record<string, unknown>): Promise<Reply> => {
  const own = (handlers as unknown as Record<string, Handler | undefined>)[operation];
  if (own) return own(caller, input);
  return (await inTeam(caller, { operation, input } as AdminRequest)).reply;
};

const overview: WorkerHandlers["overview.get"] = async (caller, input) => {
  const { reply } = await inTeam(caller, { operation: "overview.get", input });
  if ("refusal" in reply) return reply;
  const body = reply.body as Response<AdminContract["overview"]["get"]>;
  const { why } = aboutNow(caller.env).senders.transactional;
  if (why === null) return reply;
  const text = `No transactional mail leaves this service: ${why}.`;
  return { ...reply, body: { ...body, attention: [{ kind: "sender_not_ready", text, ids: {} }, ...body.attention] } };
};

/** The local inbox is in another object. */
const erase: WorkerHandlers["people.erase"] = async (caller, input) => {
  const { reply, erase: names } = await inTeam(caller, { operation: "people.erase", input });
  if ("refusal" in reply || !names) return reply;
  const body = reply.body as ErasedAtService;
  try {
    const mails = await caller.env.INBOX_STORE.getByName(INBOX_NAME).erase(input.team, names, input.dryRun);
    return { ...reply, body: { ...body, erased: { ...body.erased, mails } } };
  } catch (error) {
    log("inbox_not_erased", { team: input.team, error: error instanceof Error ? error.name : typeof error });
    const message = "Not finished: the inbox gave no answer. Repeat the request for these addresses.";
    return { ...reply, body: { ...body, finished: false, message } };
  }
};

const createKey: WorkerHandlers["keys.create"] = async (caller, { team, name }) => {
  const { API_KEY_SECRET: secret } = caller.env;
  if (!secret) {
    log("key_not_created", { reason: "API_KEY_SECRET is not set" });
    return { refusal: { code: "internal_error", message: "API_KEY_SECRET is not set on the email Worker." } };
  }
  const key = await newKey(team, secret);
  // Six of the 32 random characters identify a key but do not reveal it.
  const prefix = key.slice(0, `ms_${team}_`.length + 6);
  const input = { team, name, hash: await digest(key), prefix };
  const { reply } = await inTeam(caller, { operation: "keys.create", input });
  return "refusal" in reply ? reply : { ...reply, body: { ...(reply.body as object), key } };
};

const createDomain: WorkerHandlers["domains.create"] = async (caller, input) => {
  const read = readDomainName(input.name);
  if ("problem" in read) {
    return { refusal: { code: "invalid_domain", path: "name", message: `name: ${read.problem}.` } };
  }
  const made = await newDkimKey(caller.env, input.team);
  if ("refusal" in made) return made;
  const request = { operation: "domains.create", input: { ...input, name: read.name, key: made.key } } as const;
  return (await inTeam(caller, request)).reply;
};

const rotateKey: WorkerHandlers["domains.rotate"] = async (caller, input) => {
  // Key creation takes up to a second of CPU, so the domain is checked first.
  const { reply } = await inTeam(caller, { operation: "domains.get", input });
  if ("refusal" in reply) return reply;
  const made = await newDkimKey(caller.env, input.team);
  if ("refusal" in made) return made;
  return (await inTeam(caller, { operation: "domains.rotate", input: { ...input, key: made.key } })).reply;
};

const shareDomain: WorkerHandlers["domains.share"] = async (caller, input) => {
  const { reply } = await inTeam(caller, { operation: "domains.share", input });
  return "refusal" in reply ? reply : makeDomainLink(caller.env, input, caller.now);
};

/** The envelope subdomain is of the same Organizational Domain, so that receivers send reports without asking. */
const reportsOfDomain: WorkerHandlers["domains.reports"] = async (caller, input) => {
  const { reply } = await inTeam(caller, { operation: "domains.reports", input });
  if ("refusal" in reply) return reply;
  const { API_KEY_SECRET: secret } = caller.env;
  const body = reply.body as { domain: string };
  const address = secret
    ? reportAddress(await tokenOf({ team: input.team, n: OF_REPORTS }, secret), envelopeDomain(body.domain))
    : null;
  return { ...reply, body: { ...body, address } };
};

const changeWebhook =
  (operation: "webhooks.create" | "webhooks.update") =>
  async (caller: Caller, input: { url?: string | undefined }): Promise<Reply> => {
    const problem = input.url === undefined ? undefined : addressProblem(input.url, mayCallPrivate(caller.env));
    if (problem !== undefined) {
      return { refusal: { code: "invalid_request", path: "url", message: `url: ${problem}.` } };
    }
    const secret = `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(24)))}`;
    const sealedSecret = await sealSecret(webhookSecretsOf(caller.env), secret);
    // `URL` removes line breaks and invisible characters.
    const url = input.url === undefined ? {} : { url: new URL(input.url).href };
    return (await inTeam(caller, { operation, input: { ...input, ...url, secret, sealedSecret } } as AdminRequest))
      .reply;
  };

const handlers: WorkerHandlers = {
  "about.get": async ({ env }) => ({ status: 200, body: aboutNow(env) }),
  "metrics.get": async ({ env, now }) => ({
    status: 200,
    body: await metricsNow(env, now),
    headers: { "Content-Type": METRICS_TYPE },
  }),
  "alerts.list": async ({ env }) => ({
    status: 200,
    body: shownAlerts(await env.DIRECTORY.getByName(DIRECTORY_NAME).alerts()),
  }),
  "audit.list": async ({ env, now }, { cursor: before, since, until, ...filter }) => {
    const times = { since: timeIn(since, now), until: timeIn(until, now) };
    const page = await env.DIRECTORY.getByName(DIRECTORY_NAME).audit({ ...filter, ...times, before }, now);
    return { status: 200, body: shownAudit(page, operations) };
  },
  "teams.list": ({ env, origin }, input) => env.DIRECTORY.getByName(DIRECTORY_NAME).list(input, origin),
  "teams.create": async (caller, input) => (await inTeam(caller, { operation: "teams.create", input })).reply,
  "overview.get": overview,
  "people.erase": erase,
  "keys.create": createKey,
  "domains.create": createDomain,
  "domains.rotate": rotateKey,
  "domains.share": shareDomain,
  "domains.reports": reportsOfDomain,
  "webhooks.create": changeWebhook("webhooks.create"),
  "webhooks.update": changeWebhook("webhooks.update"),
};
