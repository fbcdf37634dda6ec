import { handlersIn } from "../../scripts/providers/handlers-in.ts";
import type { Env } from "../../src/env.ts";
import { doorOf, routesOf } from "../../src/routes/hooks.ts";
import type { Source } from "../../src/sources.ts";

/** The surroundings of one request: clock, the source's secret, address, and pages of the network. */
export type Circumstances = { now: number; secret: string; url?: string; texts: Record<string, string> };

/** The header that carries them as base64 of JSON. Only this Worker reads it. */
export const CIRCUMSTANCES = "x-test-circumstances";

/** The real entry with every handler as a source. Each request brings clock, secret and network. */
export const createWorker = (modules: readonly Record<string, unknown>[]) => {
  const sources: Record<string, Source> = {};
  for (const handler of modules.flatMap(handlersIn)) sources[handler.provider] = { handler, secret: "SECRET" };
  return {
    fetch: async (given: Request, env: Env, ctx: ExecutionContext): Promise<Response> => {
      const bytes = Uint8Array.from(atob(given.headers.get(CIRCUMSTANCES) ?? ""), (char) => char.charCodeAt(0));
      const { now, secret, url, texts } = JSON.parse(new TextDecoder().decode(bytes)) as Circumstances;
      const door = doorOf(sources, {
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
      return routesOf(door).fetch(new Request(path, request), { ...env, SECRET: secret } as Env, ctx);
    },
  };
};
