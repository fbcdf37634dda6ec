import { vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { decodeWebhooks, type EncodedWebhooks, encodeResult } from "../../../src/outbox/intake/rpc-text.ts";
import type { PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";
import { doorOf, routesOf } from "../../../src/routes/hooks.ts";
import type { Source } from "../../../src/sources.ts";
import { listHandlers } from "../../handlers.ts";

/** Unix ms. */
export const NOW = 1_760_000_000_000;
export const handlers = await listHandlers();
vi.spyOn(console, "log").mockImplementation(() => {});

/** The webhook entry of one source, with an Outbox that accepts everything. */
export const doorTo = (
  provider: string,
  secret: string,
  more: { tolerance?: number; header?: string; texts?: Record<string, string> } = {},
) => {
  const handler = handlers[provider];
  if (!handler) throw new Error(`no handler ${provider}`);
  const { texts = {}, ...settings } = more;
  const source: Source = { handler, secret: "SECRET", ...settings };
  const batches: PlannedWebhook[][] = [];
  const fetched: string[] = [];
  const accept = async (...encoded: EncodedWebhooks) => {
    const webhooks = decodeWebhooks(...encoded);
    batches.push(webhooks);
    return encodeResult({ receipts: webhooks.map((_, i) => ({ id: `wh_${i + 1}`, duplicate: i > 0, deliveries: i })) });
  };
  const env = { SECRET: secret, OUTBOX: { getByName: () => ({ accept }) } } as unknown as Env;
  const door = doorOf(
    { source },
    {
      now: () => NOW,
      urlOf: ({ url }) => url,
      fetch: async (url) => {
        fetched.push(url);
        return new Response(texts[url] ?? "", { status: texts[url] === undefined ? 404 : 200 });
      },
    },
  );
  const send = async (raw: string, headers: Record<string, string> = {}, { method = "POST", path = "" } = {}) => {
    const init = { method, headers, ...(method === "POST" ? { body: raw } : {}) };
    const response = await routesOf(door).request(`/source${path}`, init, env);
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get("Content-Type"),
      response,
    };
  };
  return { send, batches, fetched };
};
