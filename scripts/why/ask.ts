/** What is shown of a call. See `callOf` in src/routes/admin/show.ts. */
export type Call = {
  id: string;
  rule: string;
  action: string;
  state: string;
  template?: string;
  eventName?: string;
  contact: { email?: string; userId?: string; ref?: string };
  waitingFor?: { for: string };
  why: string;
};
type Step = { at: string; text: string; call?: string };
export type Webhook = {
  id: string;
  acceptedAt: string;
  source: string;
  type: string;
  test: boolean;
  outcomes: { rule: string; outcome: string; why: string }[];
  calls: Call[];
  why: string;
  /** Its body names this person, its calls are about others. */
  onlyNamed?: true;
  timeline?: Step[];
};
type Suppression = { known: boolean; isSuppressed: boolean };
type Status = { delivery: string; paused: { all: string | null; sources: Record<string, string> } };

/** Everything that answers the question. */
export type Found = {
  who: string;
  webhooks: Webhook[];
  /** There are more than were asked for. */
  more: boolean;
  /** ISO 8601; null where the journal is empty. */
  searchedTo: string | null;
  /** Undefined where there is no address to ask about; a text where the email service could not be asked. */
  suppression: Suppression | string | undefined;
  /** Calls of anybody that wait for an identity, at most a few: one of them may be this person's. */
  waiting: Call[];
  status: Status;
};

type Page<T> = { data: T[]; next: string | null; searchedTo: string | null };

/** Requests of one search. A slice is 2 000 webhooks. */
const MOST_PAGES = 1_000;
const MOST_WAITING = 5;

/** Why the bridge could not be asked. */
class Unanswered extends Error {}

type Bridge = { url: string; token: string };

/** A GET of the admin API. Throws Unanswered with what to do. */
const get = async <T>(
  { url, token }: Bridge,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<T> => {
  const address = `${url.replace(/\/+$/, "")}/admin${path}?${new URLSearchParams(query)}`;
  let response: Response;
  try {
    response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Unanswered(`Nothing answers at ${url} (${cause}). Is it the bridge? Locally, start it with npm start.`);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  if (response.status === 401) throw new Unanswered(`${url} refuses the token: it has to be the bridge's ADMIN_TOKEN.`);
  const { error } = (answer ?? {}) as { error?: { code: string; message: string } };
  throw new Unanswered(error ? error.message : `${url} answered ${response.status}, not as the bridge does.`);
};

/** Asks the bridge, and through it the email service, all there is to ask about a person. */
export const ask = async (
  bridge: Bridge,
  who: string,
  { since, limit, full }: { since: string; limit: number; full: boolean },
): Promise<Found> => {
  const named: Record<string, string> = who.includes("@") ? { email: who } : { ref: who, userId: who };
  const status = await get<Status>(bridge, "/status");
  const webhooks: Webhook[] = [];
  let searchedTo: string | null = null;
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && webhooks.length < limit && pages < MOST_PAGES; pages++) {
    const query = { ...named, since, limit: String(Math.min(100, limit - webhooks.length)) };
    const page: Page<Webhook> = await get(bridge, "/webhooks", cursor === "" ? query : { ...query, cursor });
    webhooks.push(...page.data);
    searchedTo = page.searchedTo ?? searchedTo;
    cursor = page.next;
  }
  const shown = full
    ? await Promise.all(
        webhooks.map(async ({ id, onlyNamed }) => ({
          ...(await get<Webhook>(bridge, `/webhooks/${id}`, { body: "0" })),
          // Who was asked for is known to the search alone.
          ...(onlyNamed ? { onlyNamed } : {}),
        })),
      )
    : webhooks;
  const suppression = named.email === undefined ? undefined : await suppressionOf(bridge, named.email);
  const waiting = webhooks.length > 0 ? [] : await waitingCalls(bridge);
  return { who, webhooks: shown, more: cursor !== null, searchedTo, suppression, waiting, status };
};

/** The email service may be unreachable while the bridge is well: that is part of the answer. */
const suppressionOf = async (bridge: Bridge, email: string): Promise<Suppression | string> => {
  try {
    return await get<Suppression>(bridge, "/suppression", { email });
  } catch (error) {
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
};

const waitingCalls = async (bridge: Bridge): Promise<Call[]> => {
  const { data } = await get<Page<Call>>(bridge, "/calls", { state: "waiting", limit: "100" });
  return data.filter(({ waitingFor }) => waitingFor?.for === "identity").slice(0, MOST_WAITING);
};
