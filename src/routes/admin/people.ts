import { type Env, outboxOf } from "../../env.ts";
import { ApiError, createClient, ForeignAnswerError } from "../../lib/client.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { pickDefined } from "./filter.ts";
import { type AtHost, adminOfHost, forgetAtHost, type Identifier } from "./forget-at-host.ts";
import { type Answer, type BridgeHandlers, refuse } from "./handler.ts";
import { reachOf } from "./show.ts";

/** Milliseconds. */
const WAIT = 10_000;

const NOT_REACHED = [
  "Names, phone numbers and other values that are no address and no id, in webhooks of other people.",
  "Ids of fewer than 6 characters inside longer texts, and addresses in texts that are compressed or encrypted.",
  "Log lines, which have no addresses, and copies of the database of the last 30 days at Cloudflare.",
];

const notReachedAtHost = (env: Env, host: boolean): string[] => {
  if (!host) return ["The email service: send host: true to forget the person there too."];
  const admin = adminOfHost(env);
  return "missing" in admin
    ? [
        `The email service: its contact is deleted, and its record of sent mail stays for its retention: ${admin.missing}.`,
      ]
    : [
        "At the email service: sends to addresses that the bridge has not learned, and other contacts that name the person.",
      ];
};

export const people: BridgeHandlers<"people"> = {
  get: async ({ env }, given) => {
    const who = pickDefined(given, ["email", "userId", "ref"]);
    if (Object.keys(who).length !== 1)
      return refuse("invalid_request", "Exactly one of email, userId and ref is required.", "email");
    const person = await callObject(() => outboxOf(env).person(who));
    if (!person) return refuse("not_found", "No webhook has named this person.");
    const { identifiers: known, written, seenAt } = person;
    return {
      body: {
        identifiers: known.map((one) => ({ ...one, toldAt: one.toldAt === null ? null : isoOf(one.toldAt) })),
        written: Object.fromEntries(Object.entries(written).map(([name, at]) => [name, isoOf(at)])),
        seenAt: seenAt === null ? null : isoOf(seenAt),
      },
    };
  },
  suppression: async ({ env }, given) => {
    const who = pickDefined(given, ["email", "userId"]);
    return notExactlyOne(who) ?? orRefusal(() => suppressionOf(env, who));
  },
  forget: async ({ env }, given) => {
    const person = pickDefined(given, ["email", "userId"]);
    const wrong = notExactlyOne(person);
    if (wrong) return wrong;
    const { dryRun = false, host = false } = given;
    const forgotten = await forgetEverywhere(env, person, { cursor: given.cursor, dryRun, host });
    const {
      next: _next,
      searchedTo: _searchedTo,
      linksKept: _kept,
      late,
      reached,
      apart,
      atHost,
      ...counts
    } = forgotten;
    const reach = reachOf(forgotten);
    const finished = reach.next === null;
    const body = {
      dryRun,
      finished,
      erased: { identifiers: reached.length, ...counts },
      ...(atHost?.erased ? { host: atHost.erased } : {}),
      ...(dryRun ? { reached, notReached: [...apart, ...notReachedAtHost(env, host), ...NOT_REACHED] } : {}),
      ...reach,
      message: messageOf({ dryRun, finished, late }, atHost),
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
type Forgetting = { cursor: number | undefined; dryRun: boolean; host: boolean };

type Everywhere = Awaited<ReturnType<ReturnType<typeof outboxOf>["forget"]>> & { atHost?: AtHost };

/** Identity links go last, so that a repeated request finds the same identifiers. */
const forgetEverywhere = async (env: Env, person: Given, { cursor, dryRun, host }: Forgetting): Promise<Everywhere> => {
  const outbox = outboxOf(env);
  const forgotten = await outbox.forget(person, cursor, { dryRun, keepLinks: host && !dryRun });
  const isLast = dryRun ? forgotten.next === undefined : forgotten.linksKept;
  if (!host || !isLast) return forgotten;
  const identifiers = forgotten.reached.flatMap((one): Identifier[] =>
    "email" in one ? [{ email: one.email }] : "userId" in one ? [{ userId: one.userId }] : [],
  );
  const atHost = await forgetAtHost(env, emailServiceOf(env), identifiers, dryRun);
  if (dryRun || !atHost.finished) return { ...forgotten, atHost };
  const { next: _next, linksKept: _kept, ...before } = forgotten;
  const { links, next } = await outbox.forget(person, forgotten.next);
  return { ...before, links, ...(next === undefined ? {} : { next }), atHost };
};

const messageOf = (
  { dryRun, finished, late }: { dryRun: boolean; finished: boolean; late: number | undefined },
  atHost: AtHost | undefined,
): string => {
  const repeat = "Not finished. Repeat the request with this `next` as `cursor`.";
  if (late !== undefined)
    return `Not finished: until ${isoOf(late)}, an earlier request may reach the email service and make the contact again. Repeat the request then, with this \`next\` as \`cursor\`.`;
  if (!finished) return atHost ? `${repeat} ${atHost.message}` : repeat;
  if (dryRun)
    return `Dry run: nothing was erased. A real run would erase these counts.${atHost ? ` ${atHost.message}` : ""}`;
  return (
    atHost?.message ??
    'The email service keeps its own contact. Remove it with POST /v1/contacts/delete, or send {"host": true} here.'
  );
};

const notExactlyOne = ({ email, userId }: Given): Answer | undefined =>
  (email === undefined) === (userId === undefined)
    ? refuse("invalid_request", "Exactly one of email and userId is required.", "email")
    : undefined;

/** Requests pass through the gateway, so they count against the same rate limit. */
const emailServiceOf = (env: Env) =>
  createClient({
    baseUrl: "http://host",
    apiKey: env.EMAIL_API_KEY ?? "",
    headers: { "User-Agent": "mailspan-bridge" },
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
      return { refusal: { code: "host_unavailable", message: error.message, retryAfter: 15 } };
    if (error instanceof ApiError)
      return refuse("host_refused", `The email service answered ${error.status}: ${error.message}`);
    throw error;
  }
};
