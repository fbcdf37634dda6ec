import { vi } from "vitest";
import type { Team } from "../../bench.ts";

export type Received = { url: string; headers: Record<string, string>; text: string; body: Record<string, unknown> };
type Answer = Response | Promise<Response>;

/** Acts as all endpoints: keeps requests, and answers 204 or as the test says. */
export const receive = (
  answer: (received: Received, n: number) => Answer = () => new Response(null, { status: 204 }),
) => {
  const received: Received[] = [];
  const state = { answer };
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const text = String(init?.body);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const one = { url: String(url), headers, text, body: JSON.parse(text) as Record<string, unknown> };
    received.push(one);
    return state.answer(one, received.length);
  });
  return { received, spy, state };
};

export const ENDPOINT = "https://app.example.com/webhooks";

export type Added = { id: string; secret: string };

export const addWebhook = async (team: Team, fields: Record<string, unknown> = {}): Promise<Added> =>
  (await team.admin("POST", "/webhooks", { url: ENDPOINT, ...fields })).json;

export const look = async (team: Team, { id }: Pick<Added, "id">) => (await team.admin("GET", `/webhooks/${id}`)).json;

/** `before`: called before each look. */
export const delivered = (team: Team, before: () => Promise<unknown> = async () => {}) =>
  vi.waitFor(async () => {
    await before();
    const due = await team.rows(
      `SELECT d.event FROM webhook_notifications d JOIN webhook_endpoints w ON w.n = d.endpoint
       WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND max(d.due, w.resume_at) <= ${Date.now()}`,
    );
    if (due.length > 0) throw new Error(`${due.length} deliveries are due`);
  }, 30_000);
