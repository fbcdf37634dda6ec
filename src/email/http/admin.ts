import type { Hono } from "hono";
import { type AdminContract, adminContract } from "../../lib/contract/admin/email.ts";
import type { ErasedAtService } from "../../lib/contract/admin/erased.ts";
import { mount, type Reply, type Service } from "../../lib/contract/mount.ts";
import type { Request, Response } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import { v1 } from "../../lib/contract/v1.ts";
import { digest, toBase64 } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import { type Env, mayCallPrivate } from "../env.ts";
import { readDomainName } from "../mail/dns/name.ts";
import { addressProblem } from "../notifier/address.ts";
import { DIRECTORY_NAME } from "../types/directory-rpc.ts";
import { INBOX_NAME } from "../types/inbox-rpc.ts";
import type { AdminReply, AdminRequest } from "../types/workspace-rpc.ts";
import { aboutNow } from "./admin/about-service.ts";
import { authorizeOperator } from "./admin/authorize.ts";
import { OPERATOR_V1, operatorService } from "./admin/v1.ts";
import { newDkimKey } from "./dkim-keys.ts";
import { makeDomainLink } from "./domains/link.ts";
import { newKey } from "./signed-key.ts";

type Teams = AdminContract["teams"];
type Keys = AdminContract["keys"];
type Overview = AdminContract["overview"];
type Domains = AdminContract["domains"];
type People = AdminContract["people"];

type Clock = () => number;

const service = (env: Env, clock: Clock): Service<string> => ({
  authorize: (request) => authorizeOperator(env, request),
  run: (origin, request) => run(env, origin, request, clock),
});

const run = async (env: Env, origin: string, request: ApiRequest, clock: Clock): Promise<Reply> => {
  if ("refusal" in request) return request;
  switch (request.operation) {
    case "about.get":
      return { status: 200, body: aboutNow(env) };
    case "overview.get":
      return overview(env, request.input as Request<Overview["get"]>);
    case "teams.list":
      return env.DIRECTORY.getByName(DIRECTORY_NAME).list(request.input as Request<Teams["list"]>, origin);
    case "keys.create":
      return createKey(env, request.input as Request<Keys["create"]>);
    case "domains.create":
      return createDomain(env, request.input as Request<Domains["create"]>);
    case "domains.rotate":
      return rotateKey(env, request.input as Request<Domains["rotate"]>);
    case "domains.share":
      return shareDomain(env, request.input as Request<Domains["share"]>, clock());
    case "people.erase":
      return erase(env, request.input as Request<People["erase"]>);
    case "webhooks.create":
    case "webhooks.update":
      return changeWebhook(env, request as WebhookChange);
    default:
      return (await inTeam(env, String(request.input.team ?? request.input.id), request as AdminRequest, origin)).reply;
  }
};

/** Lists the team in the Directory too. If that fails, the answer is kept, because it may hold a new key. */
const inTeam = async (env: Env, team: string, request: AdminRequest, origin = ""): Promise<AdminReply> => {
  const answered = await env.WORKSPACE.getByName(team).admin(request, origin);
  if (!answered.listed) return answered;
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).register(answered.listed);
  } catch (error) {
    log("team_not_listed", { team, error: error instanceof Error ? error.message : String(error) });
  }
  return answered;
};

const overview = async (env: Env, input: Request<Overview["get"]>): Promise<Reply> => {
  const { reply } = await inTeam(env, input.team, { operation: "overview.get", input });
  if ("refusal" in reply) return reply;
  const body = reply.body as Response<Overview["get"]>;
  const { why } = aboutNow(env).senders.transactional;
  if (why === null) return reply;
  const text = `No transactional mail leaves this service: ${why}.`;
  return { ...reply, body: { ...body, attention: [{ kind: "sender_not_ready", text, ids: {} }, ...body.attention] } };
};

/** The local inbox is in another object. */
const erase = async (env: Env, input: Request<People["erase"]>): Promise<Reply> => {
  const { reply, erase: names } = await inTeam(env, input.team, { operation: "people.erase", input });
  if ("refusal" in reply || !names) return reply;
  const body = reply.body as ErasedAtService;
  try {
    const mails = await env.INBOX_STORE.getByName(INBOX_NAME).erase(input.team, names, input.dryRun);
    return { ...reply, body: { ...body, erased: { ...body.erased, mails } } };
  } catch (error) {
    log("inbox_not_erased", { team: input.team, error: error instanceof Error ? error.name : typeof error });
    const message = "Not finished: the inbox gave no answer. Repeat the request for these addresses.";
    return { ...reply, body: { ...body, finished: false, message } };
  }
};

const createKey = async (env: Env, { team, name }: Request<Keys["create"]>): Promise<Reply> => {
  if (!env.API_KEY_SECRET) {
    log("key_not_created", { reason: "API_KEY_SECRET is not set" });
    return { refusal: { code: "internal_error", message: "API_KEY_SECRET is not set on the email Worker." } };
  }
  const key = await newKey(team, env.API_KEY_SECRET);
  // Six of the 32 random characters identify a key but do not reveal it.
  const prefix = key.slice(0, `ms_${team}_`.length + 6);
  const { reply } = await inTeam(env, team, {
    operation: "keys.create",
    input: { team, name, hash: await digest(key), prefix },
  });
  return "refusal" in reply ? reply : { ...reply, body: { ...(reply.body as object), key } };
};

const createDomain = async (env: Env, input: Request<Domains["create"]>): Promise<Reply> => {
  const read = readDomainName(input.name);
  if ("problem" in read) {
    return { refusal: { code: "invalid_domain", path: "name", message: `name: ${read.problem}.` } };
  }
  const made = await newDkimKey(env, input.team);
  if ("refusal" in made) return made;
  const request = { operation: "domains.create", input: { ...input, name: read.name, key: made.key } } as const;
  return (await inTeam(env, input.team, request)).reply;
};

const rotateKey = async (env: Env, input: Request<Domains["rotate"]>): Promise<Reply> => {
  // Key creation takes up to a second of CPU, so the domain is checked first.
  const { reply } = await inTeam(env, input.team, { operation: "domains.get", input });
  if ("refusal" in reply) return reply;
  const made = await newDkimKey(env, input.team);
  if ("refusal" in made) return made;
  return (await inTeam(env, input.team, { operation: "domains.rotate", input: { ...input, key: made.key } })).reply;
};

const shareDomain = async (env: Env, input: Request<Domains["share"]>, now: number): Promise<Reply> => {
  const { reply } = await inTeam(env, input.team, { operation: "domains.get", input });
  return "refusal" in reply ? reply : makeDomainLink(env, input, now);
};

type WebhookChange = Extract<AdminRequest, { operation: "webhooks.create" | "webhooks.update" }>;

const changeWebhook = async (env: Env, { operation, input }: WebhookChange): Promise<Reply> => {
  const problem = input.url === undefined ? undefined : addressProblem(input.url, mayCallPrivate(env));
  if (problem !== undefined) return { refusal: { code: "invalid_request", path: "url", message: `url: ${problem}.` } };
  const secret = `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(24)))}`;
  // `URL` removes line breaks and invisible characters.
  const url = input.url === undefined ? {} : { url: new URL(input.url).href };
  return (await inTeam(env, input.team, { operation, input: { ...input, ...url, secret } } as WebhookChange)).reply;
};

/** Mounts `/admin` and each team's v1 API for ADMIN_TOKEN. `clock` returns Unix ms. */
export const mountAdmin = (app: Hono, env: Env, clock: Clock): void => {
  // First, because `/admin` answers all its subpaths.
  mount(app, OPERATOR_V1, v1, operatorService(env));
  mount(app, "/admin", adminContract, service(env, clock));
};
