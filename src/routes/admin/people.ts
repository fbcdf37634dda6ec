import { type Env, outboxOf } from "../../env.ts";
import { actorHeaders } from "../../lib/audit/actor.ts";
import { ApiError, createClient, ForeignAnswerError } from "../../lib/client.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { type AtService, adminOfService, eraseAtService, type Identifier } from "./erase-at-service.ts";
import { type Answer, type BridgeHandlers, type Caller, refuse } from "./handler.ts";
import { pickDefined } from "./search-filter.ts";
import { reachOf } from "./show.ts";

/** Milliseconds. */
const WAIT = 10_000;

const NOT_REACHED = [
  "Names, phone numbers and other values that are no address and no id, in webhooks of other people.",
  "Ids of fewer than 6 characters inside longer texts, and addresses in texts that are compressed or encrypted.",
  "Log lines, which have no addresses, and copies of the database of the last 30 days at Cloudflare.",
];

const notReachedAtService = (env: Env, service: boolean): string[] => {
  if (!service) return ["The email service: send service: true to erase the person there too."];
  const admin = adminOfService(env);
  return "missing" in admin
    ? [
        `The email service: its contact is deleted, and its record of sent mail stays for its retention: ${admin.missing}.`,
      ]
    : [
        "At the email service: sends to addresses that the bridge has not learned, and other contacts that name the person.",
      ];
};

const CUSTOMER_LEFT =
  "A customer of this contact has another address since then. The contact was written again: it shows what stays.";

export const people: BridgeHandlers<"people"> = {
  get: async ({ env }, given) => {
    const who = pickDefined(given, ["email", "userId", "ref"]);
    if (Object.keys(who).length !== 1)
      return refuse("invalid_request", "Exactly one of email, userId and ref is required.", "email");
    const person = await callObject(() => outboxOf(env).person(who));
    if (!person) return refuse("not_found", "No webhook has named this person.");
    const { identifiers: known, written, seenAt, leftAt } = person;
    return {
      body: {
        identifiers: known.map((one) => ({ ...one, learnedAt: one.learnedAt === null ? null : isoOf(one.learnedAt) })),
        written: Object.fromEntries(Object.entries(written).map(([name, at]) => [name, isoOf(at)])),
        seenAt: seenAt === null ? null : isoOf(seenAt),
        left: leftAt === null ? null : { at: isoOf(leftAt), cause: CUSTOMER_LEFT },
      },
    };
  },
  search: async ({ env }, { q }) => {
    if (q === undefined) return refuse("invalid_request", "q is required.", "q");
    const { people: data, rowsRead } = await callObject(() => outboxOf(env).findPeople(q));
    return { body: { data, rowsRead } };
  },
  suppression: async ({ env }, given) => {
    const who = pickDefined(given, ["email", "userId"]);
    return notExactlyOne(who) ?? orRefusal(() => suppressionOf(env, who));
  },
  erase: async ({ env, acting }, given) => {
    const person = pickDefined(given, ["email", "userId"]);
    const wrong = notExactlyOne(person);
    if (wrong) return wrong;
    const { dryRun = false, service = false } = given;
    const erased = await eraseEverywhere(env, person, { cursor: given.cursor, dryRun, service, acting });
    const {
      next: _next,
      searchedTo: _searchedTo,
      linksKept: _kept,
      late,
      reached,
      apart,
      atService,
      ...counts
    } = erased;
    const reach = reachOf(erased);
    const finished = reach.next === null;
    const body = {
      dryRun,
      finished,
      // Every slice reaches the same identifiers.
      erased: { identifiers: given.cursor === undefined ? reached.length : 0, ...counts },
      ...(atService?.erased ? { service: atService.erased } : {}),
      ...(dryRun ? { reached, notReached: [...apart, ...notReachedAtService(env, service), ...NOT_REACHED] } : {}),
      ...reach,
      message: messageOf({ dryRun, finished, late }, atService),
    };
    if (late === undefined) return { body };
    return { body, headers: { "Retry-After": String(Math.max(1, Math.ceil((late - Date.now()) / 1000))) } };
  },
};

const suppressionOf = async (env: Env, who: Given): Promise<Answer> => {
  try {
    const { isSuppressed, contact, removalQuota } = await emailServiceOf(env).suppression.get(who as { email: string });
    return { body: { known: true, isSuppressed, contact, removalQuota } };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { body: { known: false, isSuppressed: false, contact: null } };
  }
};

type Given = { email?: string; userId?: string };
type Erasing = { cursor: number | undefined; dryRun: boolean; service: boolean; acting: Caller["acting"] };

type Everywhere = Awaited<ReturnType<ReturnType<typeof outboxOf>["erase"]>> & { atService?: AtService };

/** Identity links go last, so that a repeated request finds the same identifiers. */
const eraseEverywhere = async (
  env: Env,
  person: Given,
  { cursor, dryRun, service, acting }: Erasing,
): Promise<Everywhere> => {
  const outbox = outboxOf(env);
  const erased = await outbox.erase(person, cursor, { dryRun, keepLinks: service && !dryRun });
  const isLast = dryRun ? erased.next === undefined : erased.linksKept;
  if (!service || !isLast) return erased;
  const identifiers = erased.reached.flatMap((one): Identifier[] =>
    "email" in one ? [{ email: one.email }] : "userId" in one ? [{ userId: one.userId }] : [],
  );
  const atService = await eraseAtService(env, emailServiceOf(env), identifiers, {
    dryRun,
    actor: actorHeaders(acting),
  });
  if (dryRun || !atService.finished) return { ...erased, atService };
  const { next: _next, linksKept: _kept, ...before } = erased;
  const { links, next } = await outbox.erase(person, erased.next);
  return { ...before, links, ...(next === undefined ? {} : { next }), atService };
};

const messageOf = (
  { dryRun, finished, late }: { dryRun: boolean; finished: boolean; late: number | undefined },
  atService: AtService | undefined,
): string => {
  const repeat = "Not finished. Repeat the request with this `next` as `cursor`.";
  if (late !== undefined)
    return `Not finished: until ${isoOf(late)}, an earlier request may reach the email service and make the contact again. Repeat the request then, with this \`next\` as \`cursor\`.`;
  if (!finished) return atService ? `${repeat} ${atService.message}` : repeat;
  if (dryRun)
    return `Dry run: nothing was erased. A real run would erase these counts.${atService ? ` ${atService.message}` : ""}`;
  return (
    atService?.message ??
    'The email service keeps its own contact. Remove it with POST /v1/contacts/delete, or send {"service": true} here.'
  );
};

const notExactlyOne = ({ email, userId }: Given): Answer | undefined =>
  (email === undefined) === (userId === undefined)
    ? refuse("invalid_request", "Exactly one of email and userId is required.", "email")
    : undefined;

/** Requests pass through the gateway, so they count against the same rate limit. */
const emailServiceOf = (env: Env) =>
  createClient({
    baseUrl: "http://email",
    apiKey: env.EMAIL_API_KEY ?? "",
    headers: { "User-Agent": "mailspan-bridge" },
    timeoutMs: 0,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url);
      const request = {
        method: init.method ?? "GET",
        path: pathname + search,
        headers: [...new Headers(init.headers)].map(([name, value]): [string, string] => [name, value]),
        body: typeof init.body === "string" ? init.body : undefined,
      };
      const first = await outboxOf(env).forward(request, WAIT);
      // The gateway now waits for the limit, so a second request can succeed.
      const limited = !("refused" in first) && first.status === 429;
      const forwarded = limited ? await outboxOf(env).forward(request, WAIT) : first;
      if ("refused" in forwarded) throw new Unavailable(forwarded.message);
      return new Response(forwarded.body ?? null, {
        status: forwarded.status,
        headers: forwarded.headers as [string, string][],
      });
    },
  });

class Unavailable extends Error {}

const orRefusal = async (request: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Unavailable || error instanceof ForeignAnswerError)
      return { refusal: { code: "service_unavailable", message: error.message, retryAfter: 15 } };
    if (error instanceof ApiError)
      return refuse("service_refused", `The email service answered ${error.status}: ${error.message}`);
    throw error;
  }
};
