import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { ApiError, createClient } from "../../lib/client.ts";
import type { Forgotten } from "../../outbox/operator/forget.ts";
import { refuse } from "../errors.ts";
import { body, cursor, flag, query, whoReaders } from "./params.ts";
import { reachOf } from "./show.ts";

/** Ms that a question to the email service may wait for its turn. */
const WAIT = 10_000;

/** What the email service knows of a person, and forgetting one. */
export const people = new Hono<{ Bindings: Env }>()
  .get("/suppression", async (c) => {
    const { email, userId } = whoReaders;
    const given = query(c.req.raw, { email, userId }, Date.now());
    if (given instanceof Response) return given;
    const missing = notOne(given);
    if (missing) return missing;
    return ask(async () => {
      try {
        const { isSuppressed, contact, removalQuota } = await hostOf(c.env).suppression.get(given as { email: string });
        return c.json({ known: true, isSuppressed, contact, removalQuota });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        return c.json({ known: false, isSuppressed: false, contact: null });
      }
    });
  })
  .post("/forget", async (c) => {
    const { email, userId } = whoReaders;
    const given = await body(c.req.raw, { email, userId, cursor, dryRun: flag, host: flag }, Date.now());
    if (given instanceof Response) return given;
    const who = { ...(given.email && { email: given.email }), ...(given.userId && { userId: given.userId }) };
    const missing = notOne(who);
    if (missing) return missing;
    const { dryRun = false } = given;
    const forgotten = (await outboxOf(c.env).forget(who, given.cursor, dryRun)) as unknown as Omit<
      Forgotten,
      "changed"
    >;
    const { identifiers, webhooks, calls, discarded, links } = forgotten;
    const reach = reachOf(forgotten);
    const finished = reach.next === null;
    const erased = { identifiers, webhooks, calls, discarded, links };
    if (!finished)
      return c.json({ dryRun, finished, erased, ...reach, message: "Send it again with this `next` as `cursor`." });
    if (dryRun)
      return c.json({
        dryRun,
        finished,
        erased,
        ...reach,
        message: "Nothing was erased: this is what it would come to.",
      });
    const host = given.host ? await removeContact(c.env, who) : undefined;
    const message = `The email service keeps its own contact: ${host ?? 'remove it there too (POST /v1/contacts/delete), or send {"host": true} and the bridge does.'}`;
    return c.json({ dryRun, finished, erased, ...reach, message });
  });

const notOne = ({ email, userId }: { email?: string; userId?: string }): Response | undefined =>
  (email === undefined) === (userId === undefined)
    ? refuse("invalid_parameter", "Exactly one of email and userId is needed.")
    : undefined;

/** The email service, asked through the bridge's own pace. */
const hostOf = (env: Env) =>
  createClient({
    baseUrl: "http://host",
    apiKey: env.EMAIL_API_KEY ?? "",
    headers: { "User-Agent": "mailspan-bridge" },
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url);
      const request = {
        ...{ method: init.method ?? "GET", path: pathname + search },
        headers: [...new Headers(init.headers)].map(([name, value]) => [name, value]),
        body: typeof init.body === "string" ? init.body : undefined,
      };
      const first = await outboxOf(env).forward(request, WAIT);
      // Others who use the key have spent the limit: the bridge has paused for it, and asks once more after.
      const spent = !("refused" in first) && first.status === 429;
      const forwarded = spent ? await outboxOf(env).forward(request, WAIT) : first;
      if ("refused" in forwarded) throw new Unasked(forwarded.message);
      return new Response(forwarded.body ?? null, {
        status: forwarded.status,
        headers: forwarded.headers as [string, string][],
      });
    },
  });

/** The email service was not asked, or did not answer. */
class Unasked extends Error {}

const ask = async (question: () => Promise<Response>): Promise<Response> => {
  try {
    return await question();
  } catch (error) {
    if (error instanceof Unasked) return refuse("host_unavailable", error.message, { "Retry-After": "15" });
    if (error instanceof ApiError)
      return refuse("host_refused", `The email service answered ${error.status}: ${error.message}`);
    throw error;
  }
};

/** What came of it, as the end of a sentence. */
const removeContact = async (env: Env, who: { email?: string; userId?: string }): Promise<string> => {
  try {
    await hostOf(env).contacts.delete(who);
    return "it was removed there too.";
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return "it has none of this person.";
    if (error instanceof ApiError || error instanceof Unasked)
      return `it could not be removed there (${error.message}). Remove it with POST /v1/contacts/delete.`;
    throw error;
  }
};
