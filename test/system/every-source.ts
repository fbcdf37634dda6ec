import { handlersIn } from "../../scripts/providers/handlers-in.ts";
import type { Env } from "../../src/env.ts";
import { hooksOf } from "../../src/routes/hooks.ts";
import type { Source } from "../../src/sources.ts";

/**
 * What a test says about one request: the clock, the secret of the source, where it was sent to, and what the network
 * holds.
 */
export type Circumstances = { now: number; secret: string; url?: string; texts: Record<string, string> };

/** The header that says it, in base64 of JSON. Only the Worker of this file knows it. */
export const CIRCUMSTANCES = "x-test-circumstances";

/**
 * The real door with every handler as a source of its own, whose clock, secret and network each request brings along.
 */
export const createWorker = (modules: readonly Record<string, unknown>[]) => {
  const sources: Record<string, Source> = {};
  for (const handler of modules.flatMap(handlersIn)) sources[handler.provider] = { handler, secret: "SECRET" };
  return {
    fetch: async (given: Request, env: Env, ctx: ExecutionContext): Promise<Response> => {
      const bytes = Uint8Array.from(atob(given.headers.get(CIRCUMSTANCES) ?? ""), (char) => char.charCodeAt(0));
      const { now, secret, url, texts } = JSON.parse(new TextDecoder().decode(bytes)) as Circumstances;
      const hooks = hooksOf(sources, {
        now: () => now,
        urlOf: (request) => url ?? request.url,
        fetch: async (address) => {
          const text = texts[address];
          return new Response(text ?? "", { status: text === undefined ? 404 : 200 });
        },
      });
      const headers = new Headers(given.headers);
      headers.delete(CIRCUMSTANCES);
      const request = new Request(given, { headers });
      const path = new URL(request.url);
      path.pathname = path.pathname.replace("/hooks", "");
      return hooks.fetch(new Request(path, request), { ...env, SECRET: secret } as Env, ctx);
    },
  };
};
