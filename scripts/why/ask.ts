/** The parts of a call that are shown here. The whole is `callOf` in src/routes/admin/show.ts. */
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
  /** The body names this person, but its calls are for other people. */
  onlyNamed?: true;
  timeline?: Step[];
};
type Suppression = { known: boolean; isSuppressed: boolean };
type Status = { delivery: string; paused: { all: string | null; sources: Record<string, string> } };

/** Everything the bridge answered about a person. */
export type Found = {
  /** The identifier that was searched for. */
  person: string;
  webhooks: Webhook[];
  /** There are more webhooks than the limit. */
  more: boolean;
  /** ISO 8601; null if the journal is empty. */
  searchedTo: string | null;
  /** Undefined without an email address; an error message if the email service gave no answer. */
  suppression: Suppression | string | undefined;
  /** A few calls that wait for an identity link, of any person: one of them may be for this person. */
  waiting: Call[];
  status: Status;
};

type Page<T> = { data: T[]; next: string | null; searchedTo: string | null };

/** Most requests of one search. Each covers up to 2 000 webhooks. */
const MOST_PAGES = 1_000;
const MOST_WAITING = 5;

/** The bridge gave no answer. The message names the remedy. */
class NoAnswer extends Error {}

type Bridge = { url: string; token: string };

/** GET of the admin API. Throws NoAnswer. */
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
    throw new NoAnswer(
      `Nothing answers at ${url} (${cause}). Check the address of the bridge. On this machine, npm start starts it.`,
    );
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  if (response.status === 401)
    throw new NoAnswer(`${url} refuses the token: it must be the ADMIN_TOKEN of the bridge.`);
  const { error } = (answer ?? {}) as { error?: { code: string; message: string } };
  throw new NoAnswer(
    error
      ? error.message
      : `${url} answered ${response.status}, but not as the bridge does. Is this the address of the bridge?`,
  );
};

/** Collects what the bridge, and through it the email service, know about a person. */
export const ask = async (
  bridge: Bridge,
  person: string,
  { since, limit, full }: { since: string; limit: number; full: boolean },
): Promise<Found> => {
  const named: Record<string, string> = person.includes("@") ? { email: person } : { ref: person, userId: person };
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
          // Only the search knows this; GET /webhooks/:id does not.
          ...(onlyNamed ? { onlyNamed } : {}),
        })),
      )
    : webhooks;
  const suppression = named.email === undefined ? undefined : await suppressionOf(bridge, named.email);
  const waiting = webhooks.length > 0 ? [] : await waitingCalls(bridge);
  return { person, webhooks: shown, more: cursor !== null, searchedTo, suppression, waiting, status };
};

/** If the email service is unreachable, that is part of the answer: the bridge may still work. */
const suppressionOf = async (bridge: Bridge, email: string): Promise<Suppression | string> => {
  try {
    return await get<Suppression>(bridge, "/suppression", { email });
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
};

const waitingCalls = async (bridge: Bridge): Promise<Call[]> => {
  const { data } = await get<Page<Call>>(bridge, "/calls", { state: "waiting", limit: "100" });
  return data.filter(({ waitingFor }) => waitingFor?.for === "identity").slice(0, MOST_WAITING);
};
