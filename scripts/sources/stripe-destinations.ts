import { isObject, type Json } from "../../src/lib/util/json.ts";

/** The version of the API that makes destinations. */
const VERSION = "2026-10-28.endive";
const PATH = "/v2/core/event_destinations";
const PAGES = 50;

/** An event destination of Stripe that posts to an address. */
export type Destination = {
  id: string;
  enabled_events: string[];
  event_payload: string;
  status: string;
  webhook_endpoint: { url?: string; signing_secret?: string } | null;
};

export type StripeApi = { key: string; keyVariable: string; baseUrl: string; fetch: typeof fetch };

/** Lists the destinations that post to an address. Throws with the message of Stripe. */
export const destinationsAt = async (api: StripeApi, address: string): Promise<Destination[]> => {
  const found: Destination[] = [];
  let next: string | undefined = `${PATH}?limit=100&include[0]=webhook_endpoint.url`;
  for (let page = 0; next !== undefined && page < PAGES; page++) {
    const answer: Json = await request(api, "GET", next);
    const data = Array.isArray(answer.data) ? (answer.data as Destination[]) : [];
    found.push(...data.filter(({ webhook_endpoint: endpoint }) => endpoint?.url === address));
    next = typeof answer.next_page_url === "string" ? pathOf(answer.next_page_url) : undefined;
  }
  return found;
};

const pathOf = (url: string): string => (url.startsWith("/") ? url : new URL(url).pathname + new URL(url).search);

/** Makes a destination. Only this answer has its signing secret. */
export const createDestination = async (
  api: StripeApi,
  given: { address: string; events: readonly string[]; payload: string },
): Promise<Destination> =>
  (await request(api, "POST", PATH, {
    name: "Mailspan",
    type: "webhook_endpoint",
    event_payload: given.payload,
    enabled_events: given.events,
    webhook_endpoint: { url: given.address },
    include: ["webhook_endpoint.signing_secret", "webhook_endpoint.url"],
  })) as Destination;

export const updateEvents = (api: StripeApi, id: string, events: readonly string[]): Promise<Json> =>
  request(api, "POST", `${PATH}/${id}`, { enabled_events: events });

export const enableDestination = (api: StripeApi, id: string): Promise<Json> =>
  request(api, "POST", `${PATH}/${id}/enable`, {});

export const deleteDestination = (api: StripeApi, id: string): Promise<Json> => request(api, "DELETE", `${PATH}/${id}`);

const request = async (api: StripeApi, method: string, path: string, body?: unknown): Promise<Json> => {
  const headers = { Authorization: `Bearer ${api.key}`, "Stripe-Version": VERSION, "Content-Type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  let response: Response;
  try {
    response = await api.fetch(api.baseUrl + path, init);
  } catch {
    throw new Error(`Stripe cannot be reached at ${api.baseUrl}. Run the command again: it finds what it made.`);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isObject(answer)) return answer;
  const { error } = isObject(answer) ? answer : {};
  const said = isObject(error) && typeof error.message === "string" ? `: ${error.message}` : "";
  const hint =
    response.status === 401 || response.status === 403
      ? ` Give a key with write access to event destinations, for this run alone: ${api.keyVariable}=… npm run sources -- connect …`
      : "";
  throw new Error(`Stripe answered with status ${response.status}${said}.${hint}`.replace("..", "."));
};
